//! Deviants in chapter VAL: what training finds.
//!
//! Findings are overlooked or told under another code; sound projects are refused.
//! Rules: tools-reference and contract-notes, wherever training is said to reject.

use harness::protocol::{Finding, LoadOutcome, LoadPhase, LoadReport, Severity};

use crate::deviant::{Deviant, deviant};

fn overlooking(name: &'static str, breaks: &'static str) -> Deviant {
    deviant(name, breaks)
        .report(|report, _| crate::change::overlook(report, |finding| finding.severity == Severity::Error))
}

fn renaming(name: &'static str, breaks: &'static str) -> Deviant {
    deviant(name, breaks).report(|report, _| {
        report
            .findings
            .iter_mut()
            .for_each(|finding| "mantle.validation.invalid".clone_into(&mut finding.code));
    })
}

fn refuse(report: &mut LoadReport) {
    if report.outcome == LoadOutcome::Ok {
        report.outcome = LoadOutcome::Rejected;
        report.phase = Some(LoadPhase::Train);
        report.findings.push(Finding {
            code: "mantle.validation.tools.undeclared_memory_write".to_owned(),
            severity: Severity::Error,
            phase: LoadPhase::Train,
            place: None,
            message: String::new(),
        });
    }
}

pub(crate) fn table() -> Vec<Deviant> {
    vec![
        overlooking("writes are not checked", "VAL-01 VAL-02 VAL-03 VAL-04 VAL-05"),
        renaming("an undeclared write has another code", "VAL-01"),
        deviant("every literal write is refused", "VAL-06 VAL-11 VAL-15")
            .refusing()
            .report(|report, _| refuse(report)),
        overlooking("reaching behind memory is not checked", "VAL-09 VAL-10"),
        overlooking("names of hooks are not checked", "VAL-13 VAL-14"),
        overlooking("constraints are not checked", "VAL-20 VAL-21 VAL-22"),
        renaming("a malformed frontmatter has another code", "VAL-20 VAL-21 VAL-22"),
        overlooking("conditions in prose are not checked", "VAL-24 VAL-25 VAL-26"),
        renaming("a wrong condition in prose has another code", "VAL-24 VAL-25 VAL-26"),
        overlooking("button sources are not checked", "VAL-28 VAL-29 VAL-30 VAL-31"),
        renaming("a wrong button source has another code", "VAL-28 VAL-29 VAL-30 VAL-31"),
        overlooking("servers are not checked", "VAL-32 VAL-33"),
        renaming("a wrong server has another code", "VAL-32 VAL-33"),
    ]
}
