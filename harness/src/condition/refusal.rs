//! Why a text is no condition, in words: what is not allowed, where, and what to write instead.
//!
//! Decides nothing about what is allowed: it is asked about what `parse` refuses.
//! Rules: CND-22 to CND-25; contract-notes, "4. Conditions", "Rejected".

use ruff_python_ast::token::{Token, TokenKind};
use ruff_python_ast::{CmpOp, Expr, Operator, UnaryOp};
use ruff_python_parser::ParseError;
use ruff_text_size::{Ranged, TextRange, TextSize};

/// What is not allowed, where, and the remedy.
pub(super) struct Refused {
    pub(super) what: String,
    pub(super) at: TextSize,
    pub(super) remedy: String,
}

impl Refused {
    fn new(at: TextSize, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { what: what.into(), at, remedy: remedy.into() }
    }
}

/// Why a text is not an expression at all; `None` when it is one.
pub(super) fn syntax(text: &str, tokens: &[Token], errors: &[ParseError]) -> Option<Refused> {
    let start = TextSize::new(0);
    // Two characters that Ruff would take: the mark may begin a file, and NUL may stand in a string.
    if text.starts_with('\u{feff}') {
        return Some(Refused::new(start, "a byte order mark stands", "begin with the expression"));
    }
    if let Some(at) = text.find('\0').and_then(|offset| TextSize::try_from(offset).ok()) {
        return Some(Refused::new(at, "a NUL character stands", "remove it, or write `\\x00` in a string"));
    }
    let error = errors.iter().min_by_key(|error| error.location.start())?;
    let trivia = [TokenKind::Newline, TokenKind::NonLogicalNewline, TokenKind::Comment, TokenKind::EndOfFile];
    let mut words = tokens.iter().filter(|token| !trivia.contains(&token.kind())).peekable();
    match words.peek() {
        None => return Some(Refused::new(start, "the condition is empty", "write what must hold")),
        Some(token) if token.kind() == TokenKind::Indent => {
            return Some(Refused::new(start, "blanks begin the condition", "remove them"));
        }
        Some(_) => {}
    }
    tokens.windows(2).find_map(|pair| foreign(text, pair)).or_else(|| {
        let message = error.error.to_string();
        let mut characters = message.chars();
        let first = characters.next().map(|first| first.to_lowercase().to_string()).unwrap_or_default();
        Some(Refused::new(error.location.start(), first + characters.as_str(), ""))
    })
}

/// What people write who think of another language, or of a name that Python keeps for itself.
fn foreign(text: &str, pair: &[Token]) -> Option<Refused> {
    let [first, second] = pair else { return None };
    let adjacent = first.end() == second.start();
    let stands = |what: &str, instead: &str| {
        Some(Refused::new(first.start(), format!("`{what}` stands"), format!("write `{instead}`")))
    };
    let word = written(text, first.range());
    match (first.kind(), second.kind()) {
        (TokenKind::Amper, TokenKind::Amper) if adjacent => stands("&&", "and"),
        (TokenKind::Vbar, TokenKind::Vbar) if adjacent => stands("||", "or"),
        (TokenKind::EqEqual, TokenKind::Equal) if adjacent => stands("===", "=="),
        (TokenKind::NotEqual, TokenKind::Equal) if adjacent => stands("!==", "!="),
        (TokenKind::Equal, TokenKind::Less) if adjacent => stands("=<", "<="),
        (TokenKind::Equal, TokenKind::Greater) if adjacent => stands("=>", ">="),
        (TokenKind::Less, TokenKind::Greater) if adjacent => stands("<>", "!="),
        (TokenKind::Equal, _) => stands("=", "=="),
        (TokenKind::Exclamation, _) => stands("!", "not"),
        (TokenKind::Name, _) if ["AND", "And"].contains(&word) => stands(word, "and"),
        (TokenKind::Name, _) if ["OR", "Or"].contains(&word) => stands(word, "or"),
        (TokenKind::Name, _) if ["NOT", "Not"].contains(&word) => stands(word, "not"),
        (TokenKind::Dot, keyword) if keyword.is_keyword() && !keyword.is_soft_keyword() => {
            let keyword = written(text, second.range());
            let what = format!("`{keyword}`, a keyword of Python, stands for a name");
            let remedy = "rename the entry or the skill: no condition can read it under this name";
            Some(Refused::new(second.start(), what, remedy))
        }
        (TokenKind::Newline, after)
            if !matches!(after, TokenKind::EndOfFile | TokenKind::NonLogicalNewline) =>
        {
            let remedy = "put parentheses around what goes over several lines";
            Some(Refused::new(second.start(), "a second line begins outside parentheses", remedy))
        }
        _ => None,
    }
}

/// Why an expression of Python is none of a condition. `token_after` finds where the operator after an
/// operand begins.
pub(super) fn expression(
    expression: &Expr,
    text: &str,
    token_after: impl Fn(TextSize) -> TextSize,
) -> Refused {
    let start = expression.start();
    let in_tool = "let a tool work it out and set an entry to the result";
    let refused = |what: &str, remedy: &str| Refused::new(start, what, remedy);
    match expression {
        Expr::Name(name) => bare_name(name.id.as_str(), start),
        Expr::UnaryOp(operation) => unary(operation.op, start),
        Expr::BinOp(operation) => {
            let at = token_after(operation.left.end());
            let adjacent = at == operation.left.end() && operation.right.start() == at + TextSize::new(1);
            binary(operation.op, adjacent, at)
        }
        Expr::Call(call) => Refused::new(token_after(call.func.end()), "a call", in_tool),
        Expr::Subscript(subscript) => {
            Refused::new(token_after(subscript.value.end()), "a subscript", in_tool)
        }
        Expr::If(conditional) => {
            let remedy = "write it with `and`, `or` and `not`";
            Refused::new(token_after(conditional.body.end()), "a conditional expression", remedy)
        }
        Expr::List(_) | Expr::Tuple(_) | Expr::Set(_) => {
            refused(kind_of_display(expression), "compare with each item, joined by `or`")
        }
        Expr::Dict(_) => refused("a mapping", in_tool),
        Expr::ListComp(_) | Expr::SetComp(_) | Expr::DictComp(_) | Expr::Generator(_) => {
            refused("a comprehension", in_tool)
        }
        Expr::Lambda(_) => refused("a lambda", in_tool),
        Expr::Named(_) => refused("an assignment", "write `==` to compare"),
        Expr::FString(_) | Expr::TString(_) => refused("a string with a prefix", "write the text itself"),
        Expr::BytesLiteral(_) => refused("a string of bytes", "write the string without `b`"),
        Expr::NumberLiteral(_) => refused("a complex number", "write an integer or a float"),
        Expr::EllipsisLiteral(_) => refused("`...`", "write what is to be read or compared"),
        _ => {
            let shown = written(text, expression.range()).split_whitespace().next().unwrap_or_default();
            refused(&format!("`{shown}`"), in_tool)
        }
    }
}

fn kind_of_display(expression: &Expr) -> &'static str {
    match expression {
        Expr::List(_) => "a list",
        Expr::Tuple(_) => "a tuple",
        _ => "a set",
    }
}

/// A name that no `session.` begins (CND-23).
fn bare_name(name: &str, at: TextSize) -> Refused {
    let remedy = match name {
        "true" | "TRUE" => "write `True`".to_owned(),
        "false" | "FALSE" => "write `False`".to_owned(),
        "null" | "Null" | "NULL" | "none" | "NONE" | "nil" | "undefined" => "write `None`".to_owned(),
        "session" => "name an entry as `session.<skill>.<entry>`".to_owned(),
        _ => format!(
            "name an entry as `session.<skill>.{name}` or `session.project.{name}`, or quote a string: `'{name}'`"
        ),
    };
    Refused::new(at, format!("the bare name `{name}`"), remedy)
}

/// A dotted name of another form than `session.<namespace>.<entry>` (CND-25).
pub(super) fn segments(segments: &[&str], at: TextSize) -> Refused {
    let whole = segments.join(".");
    let remedy = match segments {
        ["session", first] => {
            format!("name an entry as `session.<skill>.{first}` or `session.{first}.<entry>`")
        }
        ["session", namespace, entry, ..] => {
            format!("`session.{namespace}.{entry}` reads an entry as a whole; a part of it cannot be read")
        }
        [namespace, entry] => format!("write `session.{namespace}.{entry}`"),
        _ => "name an entry as `session.<skill>.<entry>`".to_owned(),
    };
    Refused::new(at, format!("`{whole}`"), remedy)
}

/// A dotted name that begins with no name.
pub(super) fn attribute(at: TextSize) -> Refused {
    Refused::new(at, "an attribute of a value", "name an entry as `session.<skill>.<entry>`")
}

/// A comparison that is none of the six (CND-24).
pub(super) fn comparator(operator: CmpOp, at: TextSize) -> Refused {
    let remedy = match operator {
        CmpOp::In => "write a disjunction, as in `session.a.b == 'x' or session.a.b == 'y'`",
        CmpOp::NotIn => "write a conjunction, as in `session.a.b != 'x' and session.a.b != 'y'`",
        CmpOp::IsNot => "write `!=`",
        _ => "write `==`",
    };
    Refused::new(at, format!("`{}`", operator.as_str()), remedy)
}

fn unary(operator: UnaryOp, at: TextSize) -> Refused {
    match operator {
        UnaryOp::USub => {
            let remedy = "compare with zero or with an entry that holds the number";
            Refused::new(at, "a unary minus", remedy)
        }
        other => Refused::new(at, format!("the operator `{}`", other.as_str()), "leave it out"),
    }
}

fn binary(operator: Operator, adjacent: bool, at: TextSize) -> Refused {
    let remedy = match operator {
        Operator::BitAnd => "write `and`",
        Operator::BitOr => "write `or`",
        Operator::Sub if adjacent => {
            "rename a skill or an entry whose name has a hyphen: no condition can read it under this name"
        }
        _ => "let a tool work it out and set an entry to the result",
    };
    Refused::new(at, format!("the operator `{}`", operator.as_str()), remedy)
}

fn written(text: &str, range: TextRange) -> &str {
    text.get(range.start().to_usize()..range.end().to_usize()).unwrap_or_default()
}
