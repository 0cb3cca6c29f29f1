//! The part of JSON Schema that `witness.schema.json` uses: types, required and known keys, items, enumerations,
//! alternatives, references, least numbers, and patterns of classes with counts.

use serde_json::Value;

/// Every place where a document breaks a schema.
pub fn violations(schema: &Value, document: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(schema, schema, document, "", &mut found);
    found
}

fn check(root: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    if let Some(name) = schema["$ref"].as_str() {
        let target = name.trim_start_matches("#/definitions/");
        return check(root, &root["definitions"][target], value, at, found);
    }
    if let Some(kind) = schema["type"].as_str() {
        let fits = match kind {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "integer" => value.is_i64() || value.is_u64(),
            other => panic!("the checker does not know the type {other}"),
        };
        if !fits {
            found.push(format!("{at}: {value} is no {kind}"));
            return;
        }
    }
    if let Some(wanted) = schema.get("const")
        && wanted != value
    {
        found.push(format!("{at}: {value} is not {wanted}"));
    }
    if let Some(list) = schema["enum"].as_array()
        && !list.contains(value)
    {
        found.push(format!("{at}: {value} is none of {list:?}"));
    }
    if let (Some(least), Some(n)) = (schema["minimum"].as_i64(), value.as_i64())
        && n < least
    {
        found.push(format!("{at}: {n} is too small"));
    }
    if let (Some(pattern), Some(text)) = (schema["pattern"].as_str(), value.as_str())
        && !matches(pattern, text)
    {
        found.push(format!("{at}: {text} does not match {pattern}"));
    }
    if let Some(object) = value.as_object() {
        for key in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !object.contains_key(key) {
                found.push(format!("{at}: the key {key} is missing"));
            }
        }
        for (key, part) in object {
            let at = format!("{at}/{key}");
            match (&schema["properties"][key], &schema["additionalProperties"]) {
                (Value::Null, Value::Bool(false)) => found.push(format!("{at}: unknown key")),
                (Value::Null, other @ Value::Object(_)) => check(root, other, part, &at, found),
                (Value::Null, _) => {}
                (known, _) => check(root, known, part, &at, found),
            }
        }
    }
    if let Some(list) = value.as_array() {
        if schema["minItems"].as_u64().is_some_and(|n| (list.len() as u64) < n) {
            found.push(format!("{at}: too few items"));
        }
        if let Some(items) = schema.get("items") {
            for (i, part) in list.iter().enumerate() {
                check(root, items, part, &format!("{at}/{i}"), found);
            }
        }
    }
    if let Some(cases) = schema["oneOf"].as_array() {
        let problems: Vec<Vec<String>> = cases
            .iter()
            .map(|case| {
                let mut own = Vec::new();
                check(root, case, value, at, &mut own);
                own
            })
            .collect();
        if problems.iter().filter(|p| p.is_empty()).count() != 1 {
            found.push(format!("{at}: not exactly one alternative fits: {problems:?}"));
        }
    }
}

/// `^`, literal characters, classes `[a-z0-9]`, counts `{n}`, `$`.
fn matches(pattern: &str, text: &str) -> bool {
    let mut pattern = pattern.trim_start_matches('^').trim_end_matches('$').chars().peekable();
    let mut text = text.chars();
    while let Some(c) = pattern.next() {
        let class: Vec<char> = if c == '[' { pattern.by_ref().take_while(|c| *c != ']').collect() } else { vec![c] };
        let mut count = 1;
        if pattern.peek() == Some(&'{') {
            let digits: String = pattern.by_ref().skip(1).take_while(|c| *c != '}').collect();
            count = digits.parse().expect("a count");
        }
        for _ in 0..count {
            if !text.next().is_some_and(|t| in_class(&class, t)) {
                return false;
            }
        }
    }
    text.next().is_none()
}

fn in_class(class: &[char], c: char) -> bool {
    let mut i = 0;
    while i < class.len() {
        if class.get(i + 1) == Some(&'-') && i + 2 < class.len() {
            if (class[i]..=class[i + 2]).contains(&c) {
                return true;
            }
            i += 3;
        } else {
            if class[i] == c {
                return true;
            }
            i += 1;
        }
    }
    false
}
