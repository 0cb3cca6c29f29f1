//! What WHALE found, as evidence: the execution of a model, or contracts.

use super::{Arg, ArgId, Search};
use crate::framework::Ctx;
use base::Id;
use ir::passive::NodeId;
use ir::{Annotation, Certificate, Contract, Counterexample, EdgeId, Label, Reason, TraceStep, VarId, primed};
use logic::{Model, Substitution, TermId, TermPool, Value, qe};
use std::collections::BTreeMap;

/// The edges of a path, each with the constants of the values it chooses.
type Path = Vec<(EdgeId, Vec<(VarId, TermId)>)>;

impl Search<'_> {
    /// The execution of the root that a model describes.
    pub(super) fn execution(&self, pool: &mut TermPool, model: &Model, main: ArgId) -> Result<Counterexample, Reason> {
        let mut steps = Vec::new();
        let no_path = || Reason::Incomplete("model without a path".to_string());
        // A stack of activations: the ARG, its path, and how far it was followed.
        let path = self.path_of(pool, model, main).ok_or_else(no_path)?;
        let mut stack = vec![(main, path, 0usize)];
        while let Some((arg, path, next)) = stack.last_mut() {
            let Some((edge, chosen)) = path.get(*next).cloned() else {
                stack.pop();
                continue;
            };
            *next += 1;
            let Label::Call(site) = self.icfg.edges[edge].label else {
                let mut values = BTreeMap::new();
                for (v, t) in chosen {
                    values.insert(v, self.value(pool, model, t)?);
                }
                steps.push(TraceStep { edge, chosen: values });
                continue;
            };
            let arg = *arg;
            let is_last = *next == path.len();
            let nth = path[..*next - 1].iter().filter(|(e, _)| *e == edge).count();
            let Some(body) = &self.args[arg].body else { return Err(no_path()) };
            let call = body.calls.iter().filter(|c| c.site == site).nth(nth).ok_or_else(no_path)?;
            let child_body = self.args[call.child].body.as_ref().ok_or_else(no_path)?;
            let failed = model.holds(pool, child_body.error) == Ok(true);
            let mut chosen = BTreeMap::new();
            let callee = &self.icfg.procs[self.icfg.call_sites[site].callee];
            let start = &child_body.unfolding.nodes[NodeId::from_index(0)].env;
            for &v in callee.locals.iter().chain(&callee.results) {
                chosen.insert(v, self.value(pool, model, start[v])?);
            }
            steps.push(TraceStep { edge, chosen });
            let mut inner = self.path_of(pool, model, call.child).ok_or_else(no_path)?;
            if !(failed && is_last) {
                inner.push((self.icfg.call_sites[site].return_edge, Vec::new()));
            }
            stack.push((call.child, inner, 0));
        }
        let body = self.args[main].body.as_ref().ok_or_else(no_path)?;
        let start = body.unfolding.nodes[NodeId::from_index(0)].env.clone();
        let mut initial = BTreeMap::new();
        for (v, &t) in start.iter() {
            initial.insert(v, self.value(pool, model, t)?);
        }
        Ok(Counterexample { initial, steps, symbols: model.clone() })
    }

    fn value(&self, pool: &TermPool, model: &Model, t: TermId) -> Result<Value, Reason> {
        model.eval(pool, t).map_err(|_| Reason::Incomplete("a value of the model is quantified".to_string()))
    }

    /// The edges that a model takes through the body of an ARG, without the artificial last one.
    fn path_of(&self, pool: &TermPool, model: &Model, arg: ArgId) -> Option<Path> {
        let body = self.args[arg].body.as_ref()?;
        let (_, mut path) = body.unfolding.path_to(pool, model, body.exit)?;
        // The last step leads to the artificial end; a failed call is itself the last real step.
        if path.last()?.0 == self.icfg.edges.next_id() {
            path.pop();
        }
        Some(path)
    }

    /// The inputs of the guard for which the summary excludes an error: a contract promises both.
    fn error_free_inputs(&self, ctx: &mut Ctx<'_>, arg: ArgId) -> Result<TermId, Reason> {
        let Arg { proc, guard, summary, .. } = self.args[arg];
        if !self.recursion.fallible[proc] {
            return Ok(guard);
        }
        let with_error = ctx.pool.substitute(summary, &[(self.error, TermId::TRUE)]);
        if !self.satisfiable(ctx, &[guard, with_error])? {
            return Ok(guard);
        }
        let p = &self.icfg.procs[proc];
        let mut outputs = Vec::new();
        for &v in p.results.iter().chain(&p.modifies) {
            outputs.push(primed(ctx.pool, self.icfg.vars[v].term));
        }
        let can_fail = qe::eliminate_exists(ctx.pool, &outputs, with_error, &qe::Options::default(), ctx.budget);
        if !can_fail.is_complete() {
            return Err(Reason::Incomplete("a precondition could not be written without quantifiers".to_string()));
        }
        let cannot_fail = ctx.pool.not(can_fail.formula);
        Ok(ctx.pool.and(&[guard, cannot_fail]))
    }

    /// One contract per procedure from the specifications that the proof relies on.
    ///
    /// A specification speaks of errors as outcomes, a contract excludes them: `requires` is the inputs for which some
    /// specification leaves no error possible. A call made from such an input is from such an input again: otherwise
    /// the callee's specification would allow an error, and so would the caller's.
    pub(super) fn certificate(&mut self, ctx: &mut Ctx<'_>, main: ArgId) -> Result<Certificate, Reason> {
        let relied = self.relied_on(ctx, main)?;
        let icfg = self.icfg;
        let mut annotation = Annotation::default();
        for proc in icfg.procs.ids().filter(|&p| Some(p) != icfg.root) {
            let cases: Vec<ArgId> = relied.iter().copied().filter(|&a| self.args[a].proc == proc).collect();
            // Before: globals that may change are their old values. After: primed ones are what they are now.
            let mut before = Substitution::new();
            let mut both = Substitution::new();
            both.insert(self.error, TermId::FALSE);
            for &global in &icfg.procs[proc].modifies {
                if let Some(old) = icfg.old_of(global) {
                    before.insert(icfg.vars[global].term, icfg.vars[old].term);
                    both.insert(icfg.vars[global].term, icfg.vars[old].term);
                }
            }
            for &v in icfg.procs[proc].results.iter().chain(&icfg.procs[proc].modifies) {
                let after = primed(ctx.pool, icfg.vars[v].term);
                both.insert(after, icfg.vars[v].term);
            }
            let mut requires = Vec::new();
            let mut ensures = Vec::new();
            for &arg in &cases {
                requires.push(self.error_free_inputs(ctx, arg)?);
                let summary = both.apply(ctx.pool, self.args[arg].summary);
                // With one case, `requires` says the guard already.
                let guard = if cases.len() == 1 { TermId::TRUE } else { self.args[arg].guard };
                let guard = before.apply(ctx.pool, guard);
                ensures.push(ctx.pool.implies(guard, summary));
            }
            let contract = Contract { requires: ctx.pool.or(&requires), ensures: ctx.pool.and(&ensures) };
            annotation.contracts.insert(proc, contract);
        }
        Ok(Certificate::TailRecursive(annotation))
    }
}
