//! Card files and what is found wrong in them.
