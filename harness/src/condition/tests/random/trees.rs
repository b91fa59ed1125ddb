//! Trees of conditions as the parser may make them.

use proptest::prelude::*;

use super::super::super::number::Integer;
use super::super::super::tree::{Comparator, Expression, Literal, Reference};
use crate::source::Position;

fn name() -> impl Strategy<Value = String> {
    "[a-z_][a-z0-9_]{0,5}".prop_filter("a keyword", |name| !ruff_python_stdlib::keyword::is_keyword(name))
}

fn atom() -> impl Strategy<Value = Expression> {
    let float = any::<f64>().prop_filter("no number", |float| !float.is_nan()).prop_map(f64::abs);
    prop_oneof![
        (name(), name()).prop_map(|(namespace, entry)| {
            Expression::Reference(Reference { namespace, entry, position: Position::START })
        }),
        Just(Expression::Literal(Literal::None)),
        any::<bool>().prop_map(|value| Expression::Literal(Literal::Bool(value))),
        "[0-9]{1,40}".prop_map(|digits| {
            let digits = digits.trim_start_matches('0');
            let integer = Integer::from_literal(if digits.is_empty() { "0" } else { digits });
            Expression::Literal(Literal::Integer(integer.unwrap()))
        }),
        float.prop_map(|value| Expression::Literal(Literal::Float(value))),
        any::<String>().prop_map(|text| Expression::Literal(Literal::Text(text))),
        "[ -~]{0,8}".prop_map(|text| Expression::Literal(Literal::Text(text))),
    ]
}

fn comparator() -> impl Strategy<Value = Comparator> {
    proptest::sample::select(vec![
        Comparator::Equal,
        Comparator::NotEqual,
        Comparator::Less,
        Comparator::LessOrEqual,
        Comparator::Greater,
        Comparator::GreaterOrEqual,
    ])
}

/// Any tree.
pub(super) fn expression() -> impl Strategy<Value = Expression> {
    atom().prop_recursive(6, 24, 3, |inner| {
        let operands = proptest::collection::vec(inner.clone(), 2..4);
        let others = proptest::collection::vec((comparator(), inner.clone()), 1..3);
        prop_oneof![
            operands.clone().prop_map(Expression::And),
            operands.prop_map(Expression::Or),
            inner.clone().prop_map(|operand| Expression::Not(Box::new(operand))),
            (inner, others)
                .prop_map(|(first, others)| Expression::Comparison { first: Box::new(first), others }),
        ]
    })
}
