//! Textbook formulas in Rust's doubles, behind the protocol. No crate is needed: `rustc -O float_reference.rs`.
use std::io::{self, BufRead, Write};

/// The text of a field: what stands between its name and the end of its value, in the flat JSON of the protocol.
fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let rest = line[line.find(&format!("\"{name}\":"))? + name.len() + 3..].trim_start();
    let (mut depth, mut quoted) = (0, false);
    for (place, sign) in rest.char_indices() {
        match sign {
            '"' => quoted = !quoted,
            '{' | '[' if !quoted => depth += 1,
            '}' | ']' | ',' if !quoted && depth == 0 => return Some(rest[..place].trim()),
            '}' | ']' if !quoted => depth -= 1,
            _ => {}
        }
    }
    None
}

fn text<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    Some(field(line, name)?.trim_matches('"'))
}

fn double(bits: &str) -> Option<f64> {
    Some(f64::from_bits(u64::from_str_radix(bits.trim_matches('"'), 16).ok()?))
}

/// A list of doubles, some of them with counts: `["3ff0…", {"value": "3ff0…", "count": 2}]`.
fn rounds(list: &str) -> Option<Vec<(f64, f64)>> {
    let inner = list.strip_prefix('[')?.strip_suffix(']')?;
    let (mut all, mut rest) = (Vec::new(), inner.trim());
    while !rest.is_empty() {
        let end = if rest.starts_with('{') { rest.find('}')? + 1 } else { rest.find(',').unwrap_or(rest.len()) };
        let item = rest[..end].trim();
        all.push(match item.strip_prefix('{') {
            Some(_) => (double(field(item, "value")?)?, field(item, "count")?.parse().ok()?),
            None => (double(item)?, 1.0),
        });
        rest = rest[end..].trim_start_matches([',', ' ']);
    }
    Some(all)
}

fn sum(inputs: &str, name: &str) -> Option<f64> {
    Some(rounds(field(inputs, name)?)?.iter().map(|(value, count)| value * count).sum())
}

fn answer(statement: &str, inputs: &str) -> Option<f64> {
    let number = |name: &str| double(text(inputs, name)?);
    match statement {
        "rogers2016/thm2.9.eps" => sum(inputs, "eps"),
        "whitehouse2023/thm1.rho" => sum(inputs, "rhos"),
        "whitehouse2023/lem1.dp2zcdp.rho" => Some(number("eps")?.powi(2) / 2.0),
        "whitehouse2023/lem1.zcdp2dp.eps" => {
            let (rho, delta) = (number("rho")?, number("delta_prime")?);
            Some(rho + 2.0 * (rho * (1.0 / delta).ln()).sqrt())
        }
        _ => None,
    }
}

fn spelled(value: f64) -> String {
    if value.is_nan() { "nan".into() } else { format!("{value:e}") }
}

const STARTED: &str = r#"{"version": 1,
 "implementation": {"name": "float-reference-rust", "version": "1", "language": "Rust"},
 "functions": [{"function": "sum", "statement": "rogers2016/thm2.9.eps"},
 {"function": "sum", "statement": "whitehouse2023/thm1.rho"},
 {"function": "square", "statement": "whitehouse2023/lem1.dp2zcdp.rho"},
 {"function": "Bun and Steinke", "statement": "whitehouse2023/lem1.zcdp2dp.eps"}]}"#;

fn main() -> io::Result<()> {
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line?;
        match text(&line, "cmd") {
            Some("start") => writeln!(out, "{}", STARTED.replace('\n', ""))?,
            Some("run") => {
                let seq = field(&line, "seq").unwrap_or("0");
                let statement = text(&line, "statement").unwrap_or("");
                match field(&line, "inputs_binary64").and_then(|inputs| answer(statement, inputs)) {
                    Some(value) => writeln!(out, r#"{{"seq": {seq}, "answer": "{}"}}"#, spelled(value))?,
                    None => writeln!(out, r#"{{"seq": {seq}, "skipped": "the inputs are not doubles"}}"#)?,
                }
            }
            _ => return Ok(()),
        }
        out.flush()?;
    }
    Ok(())
}
