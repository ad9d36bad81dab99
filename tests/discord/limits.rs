//! The stand-in itself: each of its refusals refuses, and what is right is let through.
