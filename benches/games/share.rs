//! How large a part of some games is, and how sure that is.

/// A part of so many in hundredths, with Wilson's interval of 95 %.
pub fn share(part: f64, of: f64) -> String {
    let (value, z) = (part / of, 1.96_f64);
    let weight = 1.0 + z * z / of;
    let middle = (value + z * z / (2.0 * of)) / weight;
    let reach = z / weight * (value * (1.0 - value) / of + z * z / (4.0 * of * of)).sqrt();
    let [value, low, high] = [value, middle - reach, middle + reach].map(|share| 100.0 * share);
    format!("{value:.0}, {low:.0} to {high:.0}")
}
