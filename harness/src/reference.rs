//! The reference implementation of the contract: deterministic, on a virtual clock.
//!
//! Knows the protocol and agent projects; knows nothing of scenarios, expectations or verdicts, and is
//! reached only through `Implementation`. Rules: the clauses named in each module.

mod python;
