//! Every way to misbehave, and what must be said of it.
//!
//! A table: what is done is in `adapter`, how it is judged is the suite's.
//! Rules: docs/adapters.md, "When something goes wrong".

use harness::verdict::Status;

/// What an adapter does in the middle of the first scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Behaviour {
    ExitsWithSuccess,
    ExitsWithAnError,
    EndsBySignal,
    Panics,
    DiesInTheMiddleOfALine,
    DiesBetweenRequests,
    DiesAndLeavesAGrandchild,
    DiesAndAGrandchildHoldsItsStreams,
    Hangs,
    HangsInTheMiddleOfALine,
    HangsAndLeavesAGrandchild,
    FloodsStderrForever,
    StopsReading,
    PrintsGarbage,
    PrintsWhatIsNoText,
    PrintsAnEmptyLine,
    PrintsALogLine,
    AnswersWithAnotherId,
    AnswersWithoutId,
    AnswersTwice,
    AnswersTwoRequestsAtOnce,
    AnswersInAnotherShape,
    AnswersAnotherRequest,
    AnswersInTwoWays,
    WritesALineThatIsTooLong,
    WritesALineThatNeverEnds,
    ClosesItsInput,
    ClosesItsOutput,
    ReportsAFaultOfItsOwn,
    SkipsWhatItDeclared,
    FloodsStderr,
    SaysMoreThanItMust,
    AnswersInPieces,
    LeavesFilesInTheProject,
    RemovesTheProject,
    LinksTheProjectElsewhere,
    StaysAfterItsFarewell,
    StartsSlowly,
}

use Behaviour as B;

/// Each with the verdict of the scenario, and a piece of the reason.
pub(crate) const TABLE: [(Behaviour, Status, &str); 38] = [
    (B::ExitsWithSuccess, Status::Crash, "exit status: 0, before it answered `load`"),
    (B::ExitsWithAnError, Status::Crash, "exit status: 3, before it answered `turn`"),
    (B::EndsBySignal, Status::Crash, "signal: 9 (SIGKILL), before it answered `load`"),
    (B::Panics, Status::Crash, "exit status: 101, before it answered `load`\n"),
    (B::DiesInTheMiddleOfALine, Status::Crash, "in the middle of a line: `{\"id\": 1, \"rep`"),
    (B::DiesBetweenRequests, Status::Crash, "exit status: 0, before it answered `turn`"),
    (B::DiesAndLeavesAGrandchild, Status::Crash, "exit status: 1, before it answered `load`"),
    (B::DiesAndAGrandchildHoldsItsStreams, Status::Crash, "exit status: 1, before it answered `load`"),
    (B::Hangs, Status::Timeout, "no answer within 300 ms of real time\nto `load`"),
    (B::HangsInTheMiddleOfALine, Status::Timeout, "to `load`, in the middle of a line: `{\"id\": 1, \"rep`"),
    (B::HangsAndLeavesAGrandchild, Status::Timeout, "no answer within 300 ms"),
    (B::FloodsStderrForever, Status::Timeout, "the end of its stderr:\n  so much to say"),
    (B::StopsReading, Status::Timeout, "no answer within 300 ms of real time\nto `turn`"),
    (B::PrintsGarbage, Status::ProtocolError, "the answer to `load` is not JSON: expected value"),
    (B::PrintsWhatIsNoText, Status::ProtocolError, "the answer to `load` is not JSON"),
    (B::PrintsAnEmptyLine, Status::ProtocolError, "the answer to `load` is not JSON"),
    (
        B::PrintsALogLine,
        Status::ProtocolError,
        "; standard output is for the protocol only: print to standard error",
    ),
    (B::AnswersWithAnotherId, Status::ProtocolError, "the answer is to request 1000"),
    (B::AnswersWithoutId, Status::ProtocolError, "the answer to `load` has no id"),
    (B::AnswersTwice, Status::ProtocolError, "the answer breaks the protocol: "),
    (B::AnswersTwoRequestsAtOnce, Status::ProtocolError, "more than one line for one request"),
    (B::AnswersInAnotherShape, Status::ProtocolError, "unknown variant `maybe`"),
    (B::AnswersAnotherRequest, Status::ProtocolError, "missing field `outcome`"),
    (B::AnswersInTwoWays, Status::ProtocolError, "the answer to `load` does not have its shape"),
    (B::WritesALineThatIsTooLong, Status::ProtocolError, "a line of more than 100000 bytes"),
    (B::WritesALineThatNeverEnds, Status::ProtocolError, "a line of more than 100000 bytes"),
    (B::ClosesItsInput, Status::ProtocolError, "it closed its standard input, and goes on"),
    (B::ClosesItsOutput, Status::ProtocolError, "it closed its standard output, and goes on"),
    (B::ReportsAFaultOfItsOwn, Status::Fail, "reports a fault of its own: not my day"),
    (B::SkipsWhatItDeclared, Status::Skip, "schema is not offered: not today"),
    (B::FloodsStderr, Status::Pass, ""),
    (B::SaysMoreThanItMust, Status::Pass, ""),
    (B::AnswersInPieces, Status::Pass, ""),
    (B::LeavesFilesInTheProject, Status::Pass, ""),
    (B::RemovesTheProject, Status::Pass, ""),
    (B::LinksTheProjectElsewhere, Status::Pass, ""),
    (B::StaysAfterItsFarewell, Status::Pass, ""),
    (B::StartsSlowly, Status::Pass, ""),
];

/// How a greeting can go wrong, so that nothing can be asked at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Greeting {
    NeverComes,
    IsGarbage,
    IsAFault,
    IsOfAnotherProtocol,
    IsOfAnotherProtocolThroughout,
    IsADeath,
}

/// Each with a piece of what is said.
pub(crate) const GREETINGS: [(Greeting, &str); 6] = [
    (Greeting::NeverComes, "no answer within 300 ms of real time\nto `hello`"),
    (Greeting::IsGarbage, "the answer to `hello` is not JSON"),
    (Greeting::IsAFault, "the implementation did not start: no licence"),
    (Greeting::IsOfAnotherProtocol, "it speaks protocol 99, this suite speaks protocol 1"),
    (
        Greeting::IsOfAnotherProtocolThroughout,
        "not start: it speaks protocol 99, this suite speaks protocol 1",
    ),
    (Greeting::IsADeath, "exit status: 1, before it answered `hello`"),
];
