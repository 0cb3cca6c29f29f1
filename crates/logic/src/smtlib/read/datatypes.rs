//! Declarations of algebraic datatypes, and terms over them: constructors, selectors, testers, `match`.
//!
//! A declaration is a template. Its instances, one for each choice of sorts for its parameters, are made when their
//! sorts are first read. Selectors and testers are found by the sort of their argument; a constructor of a datatype
//! with parameters by `(as C sort)`, or by its arguments among the instances that there are.

use super::super::sexpr::{Node, NodeId, ReadError, SExpr};
use super::{FunSymbol, Result, Signature, SortSymbol, Step, TermReader, coerce, list, symbol};
use crate::FastMap;
use crate::datatypes::Role;
use crate::sort::{Sort, SortId};
use crate::term::{FunId, TermId, TermPool};
use std::sync::Arc;

/// A datatype as it was declared.
#[derive(Debug)]
pub(super) struct Template {
    name: String,
    params: Vec<String>,
    /// Names, and fields with the places of their sorts.
    constructors: Vec<(String, Vec<(String, NodeId)>)>,
    text: Arc<SExpr>,
    /// Different for each declaration, also of the same name.
    number: usize,
}

/// Longer names of instances come from declarations whose instances have no end.
const MAX_NAME: usize = 1000;

impl Template {
    pub(super) fn arity(&self) -> usize {
        self.params.len()
    }
}

/// One or several declarations as they are read.
struct Declaration {
    name: NodeId,
    params: Vec<String>,
    constructors: Vec<NodeId>,
}

impl Signature {
    /// `(declare-datatype name declaration)`, without its first word.
    pub fn read_datatype(&mut self, pool: &mut TermPool, e: &SExpr, name: NodeId, body: NodeId) -> Result<()> {
        let declaration = declaration(e, name, body)?;
        self.declare_datatypes(pool, e, vec![declaration])
    }
    /// `(declare-datatypes ((name arity) …) (declaration …))`, without its first word. The form of SMT-LIB 2.5, without
    /// parameters, is read as well: `() ((name constructor …) …)`.
    pub fn read_datatypes(&mut self, pool: &mut TermPool, e: &SExpr, names: NodeId, bodies: NodeId) -> Result<()> {
        let (names, bodies) = (list(e, names)?, list(e, bodies)?);
        let mut declarations = Vec::new();
        if names.is_empty() && !bodies.is_empty() {
            for &body in bodies {
                let Some((&name, constructors)) = list(e, body)?.split_first() else {
                    return Err(ReadError::new(e.pos(body), "expected a datatype"));
                };
                declarations.push(Declaration { name, params: Vec::new(), constructors: constructors.to_vec() });
            }
            return self.declare_datatypes(pool, e, declarations);
        }
        if names.len() != bodies.len() {
            return Err(ReadError::new(e.pos(e.root()), "there are not as many names as declarations"));
        }
        for (&name, &body) in names.iter().zip(bodies) {
            let [name, arity] = *list(e, name)? else {
                return Err(ReadError::new(e.pos(name), "expected (name arity)"));
            };
            let declaration = declaration(e, name, body)?;
            if super::index(e, arity)? as usize != declaration.params.len() {
                return Err(ReadError::new(e.pos(arity), "the declaration does not have as many parameters"));
            }
            declarations.push(declaration);
        }
        self.declare_datatypes(pool, e, declarations)
    }

    fn declare_datatypes(&mut self, pool: &mut TermPool, e: &SExpr, declarations: Vec<Declaration>) -> Result<()> {
        let text = Arc::new(e.clone());
        let mut templates = Vec::new();
        for d in declarations {
            let name = symbol(e, d.name)?.to_string();
            let mut constructors: Vec<(String, Vec<(String, NodeId)>)> = Vec::new();
            for c in d.constructors {
                let (head, fields): (NodeId, &[NodeId]) = match e.list(c).map(|l| l.split_first()) {
                    None => (c, &[]),
                    Some(Some((&head, fields))) => (head, fields),
                    Some(None) => return Err(ReadError::new(e.pos(c), "expected a constructor")),
                };
                let mut read = Vec::new();
                for &field in fields {
                    let [selector, sort] = *list(e, field)? else {
                        return Err(ReadError::new(e.pos(field), "expected (selector sort)"));
                    };
                    read.push((symbol(e, selector)?.to_string(), sort));
                }
                constructors.push((symbol(e, head)?.to_string(), read));
            }
            if constructors.is_empty() {
                return Err(ReadError::new(e.pos(d.name), "a datatype has at least one constructor"));
            }
            let number = pool.next_number();
            let params = d.params;
            templates.push((d.name, Arc::new(Template { name, params, constructors, text: text.clone(), number })));
        }
        for (node, template) in &templates {
            let at = |m| ReadError::new(e.pos(*node), m);
            self.add_sort(&template.name, SortSymbol::Datatype(template.clone())).map_err(at)?;
            for (constructor, fields) in &template.constructors {
                self.add_fun(constructor, FunSymbol::Constructor(template.clone())).map_err(at)?;
                for (selector, _) in fields {
                    self.add_fun(selector, FunSymbol::Selector).map_err(at)?;
                }
            }
        }
        // Errors in the sorts of fields are found with the first instance.
        let mut sorts = Vec::new();
        for (node, template) in &templates {
            let args: Vec<SortId> =
                template.params.iter().map(|p| pool.uninterpreted_sort(&format!(".{}.{p}", template.name))).collect();
            let sort = self.instance(pool, template, &args).map_err(|m| ReadError::new(e.pos(*node), m))?;
            sorts.push((*node, sort));
        }
        let all: Vec<SortId> = sorts.iter().map(|(_, s)| *s).collect();
        for &(node, sort) in &sorts {
            if pool.empty_datatype(&all) == Some(sort) {
                return Err(ReadError::new(e.pos(node), "this datatype has no values: every constructor needs one"));
            }
            let through_array = |part: &SortId| {
                matches!(pool.sort_data(*part), Sort::Array(..)) && pool.data_parts(*part).contains(&sort)
            };
            if pool.data_parts(sort).iter().any(through_array) {
                let message = "datatypes that contain arrays of themselves are not supported";
                return Err(ReadError::new(e.pos(node), message));
            }
        }
        Ok(())
    }

    /// The sort of a datatype with these sorts for its parameters.
    pub(super) fn instance(
        &self,
        pool: &mut TermPool,
        template: &Arc<Template>,
        args: &[SortId],
    ) -> std::result::Result<SortId, String> {
        let quoted = super::super::quote_symbol(&template.name).into_owned();
        let shown = if args.is_empty() {
            template.name.clone()
        } else {
            let parts: Vec<String> = args.iter().map(|&s| pool.show_sort(s)).collect();
            format!("({quoted} {})", parts.join(" "))
        };
        if shown.len() > MAX_NAME {
            return Err("this sort is too large".to_string());
        }
        let sort = pool.data_sort(&shown, template.number);
        if pool.datatype(sort).is_some() {
            return Ok(sort);
        }
        pool.declare_datatype(sort);
        let bound: FastMap<String, SortId> = template.params.iter().cloned().zip(args.iter().copied()).collect();
        for (constructor, fields) in &template.constructors {
            let mut read = Vec::new();
            for (selector, node) in fields {
                let field = self.sort_in(pool, &template.text, *node, &bound).map_err(|error| error.message)?;
                read.push((selector.clone(), field));
            }
            pool.add_constructor(sort, constructor, &read);
        }
        Ok(sort)
    }
}

fn declaration(e: &SExpr, name: NodeId, body: NodeId) -> Result<Declaration> {
    let items = list(e, body)?;
    if let [par, params, constructors] = *items
        && e.is_word(par, "par")
    {
        let params = list(e, params)?.iter().map(|&p| symbol(e, p).map(str::to_string)).collect::<Result<_>>()?;
        return Ok(Declaration { name, params, constructors: list(e, constructors)?.to_vec() });
    }
    Ok(Declaration { name, params: Vec::new(), constructors: items.to_vec() })
}

impl TermReader<'_> {
    /// The function of a name and role that belongs to the datatype of a term.
    fn data_fun(&self, sort: SortId, name: &str, wanted: impl Fn(Role) -> bool) -> Option<FunId> {
        let datatype = self.pool.datatype(sort)?;
        let all =
            datatype.constructors.iter().flat_map(|c| [c.fun, c.tester].into_iter().chain(c.selectors.iter().copied()));
        all.into_iter().find(|&f| self.pool.name(f) == name && self.pool.data_role(f).is_some_and(|(_, r)| wanted(r)))
    }

    pub(super) fn construct(
        &mut self,
        node: NodeId,
        name: &str,
        template: &Arc<Template>,
        args: &[TermId],
        wanted: Option<SortId>,
    ) -> Result<TermId> {
        let sorts: Vec<SortId> = match wanted {
            Some(sort) => vec![sort],
            None if template.params.is_empty() => {
                let made = self.signature.instance(self.pool, template, &[]);
                vec![made.or_else(|message| self.fail(node, message))?]
            }
            None => self.pool.data_instances(template.number),
        };
        for sort in sorts.iter().copied() {
            let Some(f) = self.data_fun(sort, name, |r| matches!(r, Role::Constructor(_))) else { continue };
            let params = self.pool.fun(f).args.clone();
            if sorts.len() == 1 {
                let args = self.arguments(node, name, &params, args)?;
                return Ok(self.pool.data_app(f, &args));
            }
            let coerced: Option<Vec<TermId>> = (params.len() == args.len() && !params.is_empty())
                .then(|| params.iter().zip(args).map(|(&s, &t)| coerce(self.pool, t, s)).collect())
                .flatten();
            if let Some(args) = coerced {
                return Ok(self.pool.data_app(f, &args));
            }
        }
        self.fail(node, format!("say which datatype is meant: (as {name} sort)"))
    }

    pub(super) fn select_field(&mut self, node: NodeId, name: &str, args: &[TermId]) -> Result<TermId> {
        let &[t] = args else { return self.fail(node, format!("{name} takes one argument")) };
        match self.data_fun(self.pool.sort(t), name, |r| matches!(r, Role::Selector(..))) {
            Some(f) => Ok(self.pool.data_app(f, &[t])),
            None => self.fail(node, format!("{name} is no selector of the sort {}", self.sort_text(t))),
        }
    }

    /// `((_ is C) t)`.
    pub(super) fn test(&mut self, node: NodeId, constructor: &str, t: TermId) -> Result<TermId> {
        match self.data_fun(self.pool.sort(t), &format!("is-{constructor}"), |r| matches!(r, Role::Tester(_))) {
            Some(f) => Ok(self.pool.data_app(f, &[t])),
            None => self.fail(node, format!("{constructor} is no constructor of the sort {}", self.sort_text(t))),
        }
    }

    /// `((_ update s) t v)`: the field changed if the term has it.
    pub(super) fn update_field(&mut self, node: NodeId, selector: &str, args: &[TermId]) -> Result<TermId> {
        let &[t, v] = args else { return self.fail(node, "update takes a term and a value") };
        let sort = self.pool.sort(t);
        let found = self.data_fun(sort, selector, |r| matches!(r, Role::Selector(..)));
        let role = found.and_then(|f| self.pool.data_role(f));
        let (Some(datatype), Some((_, Role::Selector(number, place)))) = (self.pool.datatype(sort), role) else {
            return self.fail(node, format!("{selector} is no selector of the sort {}", self.sort_text(t)));
        };
        let constructor = datatype.constructors[number].clone();
        let mut fields = Vec::new();
        for &s in &constructor.selectors {
            fields.push(self.pool.data_app(s, &[t]));
        }
        let Some(v) = coerce(self.pool, v, self.pool.sort(fields[place])) else {
            return self.fail(node, format!("the value does not have the sort of {selector}"));
        };
        fields[place] = v;
        let changed = self.pool.data_app(constructor.fun, &fields);
        let test = self.pool.data_app(constructor.tester, &[t]);
        Ok(self.pool.ite(test, changed, t))
    }

    /// The cases of a `match` whose term is on the stack.
    pub(super) fn match_cases(&mut self, node: NodeId) -> Result<()> {
        let e = self.e;
        let Some(&[_, _, cases]) = e.list(node).and_then(|l| <&[NodeId; 3]>::try_from(l).ok()) else {
            return self.fail(node, "expected (match term (cases))");
        };
        let Some(t) = self.values.pop() else { return self.fail(node, "expected a term") };
        let sort = self.pool.sort(t);
        let Some(datatype) = self.pool.datatype(sort).cloned() else {
            return self.fail(node, format!("match takes a term of a datatype, not a {}", self.sort_text(t)));
        };
        let mut tests = Vec::new();
        let mut steps = Vec::new();
        for &case in list(e, cases)? {
            let [pattern, body] = *list(e, case)? else { return self.fail(case, "expected (pattern term)") };
            let (head, vars): (NodeId, &[NodeId]) = match e.list(pattern) {
                Some([head, vars @ ..]) => (*head, vars),
                _ => (pattern, &[]),
            };
            let name = symbol(e, head)?;
            let constructor = datatype.constructors.iter().find(|c| self.pool.name(c.fun) == name);
            let mut bound = Vec::new();
            match constructor {
                Some(c) if c.selectors.len() == vars.len() => {
                    tests.push(self.pool.data_app(c.tester, &[t]));
                    for (&var, &selector) in vars.iter().zip(&c.selectors) {
                        bound.push((symbol(e, var)?.to_string(), self.pool.data_app(selector, &[t])));
                    }
                }
                Some(_) => return self.fail(pattern, format!("{name} does not have as many fields")),
                None if vars.is_empty() && !matches!(e.node(pattern), Node::List(_)) => {
                    tests.push(TermId::TRUE);
                    bound.push((name.to_string(), t));
                }
                None => return self.fail(pattern, format!("{name} is no constructor of this datatype")),
            }
            let names = bound.iter().map(|(name, _)| name.clone()).collect();
            steps.push([Step::Bind(bound), Step::Term(body), Step::Unbind(names)]);
        }
        let is_complete = tests.contains(&TermId::TRUE)
            || datatype.constructors.iter().all(|c| {
                let test = self.pool.data_app(c.tester, &[t]);
                tests.contains(&test)
            });
        if !is_complete {
            return self.fail(node, "this match does not have a case for every constructor");
        }
        self.work.push(Step::Match { node, tests });
        for case in steps.into_iter().rev() {
            self.work.extend(case.into_iter().rev());
        }
        Ok(())
    }

    /// The results of all cases are on the stack.
    pub(super) fn match_end(&mut self, node: NodeId, tests: &[TermId]) -> Result<()> {
        let results = self.values.split_off(self.values.len() - tests.len());
        let Some(results) = self.unified(&results) else {
            return self.fail(node, "the cases of a match have one sort");
        };
        let Some((&last, others)) = results.split_last() else { return self.fail(node, "a match has cases") };
        let mut result = last;
        for (&test, &other) in tests.iter().zip(others).rev() {
            result = self.conditional(test, other, result);
        }
        self.values.push(result);
        Ok(())
    }
}
