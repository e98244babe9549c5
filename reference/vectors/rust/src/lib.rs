//! Golden vectors for differential-privacy accountants: `CASES`, and a judge for answers in doubles.
include!("cases.rs");

/// The place of a double among the doubles in order: neighbours differ by 1.
fn place(x: f64) -> i128 {
    let bits = x.to_bits() as i64;
    (if bits < 0 { -(bits & i64::MAX) } else { bits }) as i128
}

/// Judge a number: `within`, `sound`, `vacuous` (infinite), `rounding` (unsafe by at most `ulps` units in
/// the last place) or `unsound`.
pub fn judge_number(safe: &str, lower: u64, upper: u64, answer: f64, ulps: i128) -> &'static str {
    let (low, high, here) = (place(f64::from_bits(lower)), place(f64::from_bits(upper)), place(answer));
    if answer.is_nan() {
        return "unsound";
    }
    if low <= here && here <= high {
        return "within";
    }
    let short = if safe == "below" { here - high } else { low - here }; // how far on the unsafe side
    if short < 0 && safe != "neither" {
        return if answer.is_finite() { "sound" } else { "vacuous" };
    }
    if (if short < 0 { here - high } else { short }) <= ulps { "rounding" } else { "unsound" }
}

/// Judge the answer to a case; `None` is a refusal.
pub fn judge(case: &Case, answer: Option<f64>) -> &'static str {
    match (&case.expected, answer) {
        (Expected::Refused, None) => "within",
        (_, None) => "refused",
        (Expected::Number(lower, upper), Some(x)) => judge_number(case.safe, *lower, *upper, x, 4),
        (Expected::Word(word), Some(x)) => if *word == "inf" && x == f64::INFINITY { "within" } else { "unsound" },
        (Expected::Refused, Some(x)) => if case.safe == "above" && x == f64::INFINITY { "within" } else { "unsound" },
    }
}
