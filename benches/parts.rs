//! The parts of a bench program.

/// Runs the parts that the command line names, as in `cargo bench --bench games -- phwar`, or all if it names none. The rest
/// of the command line is Criterion's: what a part measures with it begins with the part's name and a slash.
pub fn run(parts: &[(&str, fn())]) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_named = |name: &str| {
        let mut arguments = arguments.iter();
        arguments.any(|argument| argument.split('/').next() == Some(name))
    };
    let all = !parts.iter().any(|(name, _)| is_named(name));
    for (name, run) in parts {
        if all || is_named(name) {
            run();
        }
    }
}
