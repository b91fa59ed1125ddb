//! Files that no author writes: a load ends, soon and without a crash.

use super::{IMPORTS, load, refusal};

#[test]
fn code_that_nests_without_end_is_not_followed() {
    for text in [
        format!("x = {}", vec!["1"; 3_000].join("+")),
        format!("import os\nx = os{}", ".a".repeat(3_000)),
        format!("x = {}1", "-".repeat(3_000)),
        format!("x = {}1", "lambda: ".repeat(1_500)),
        format!("x = {}1", "1 if 1 else ".repeat(1_500)),
        format!("x: int{}", " | int".repeat(3_000)),
        format!("x = print{}", "()".repeat(3_000)),
    ] {
        let report = load(&text);
        let skill = report.skills.values().next().unwrap();
        assert!(!skill.unknown.is_empty() || refusal(&report).is_some(), "{}", &text[..20]);
    }
}

#[test]
fn values_that_grow_without_end_are_not_followed() {
    for step in [
        "s = s + s",
        "s = f'{s}{s}'",
        "s = s.replace('a', 'aa')",
        "s = s.join([s, s])",
        "s = '{0}{0}'.format(s)",
        "s = '%s%s' % (s, s)",
        "l = l + l",
        "l = [*l, *l]",
        "l.extend(list(l))",
        "t = t + t",
        "t = (t,)\nd = {t: 1}",
    ] {
        let body = step.replace('\n', "\n    ");
        let report = load(&format!("s = 'aa'\nl = ['a']\nt = ('a',)\nfor i in range(2000):\n    {body}\n"));
        assert_eq!(refusal(&report), None, "{step}");
    }
}

#[test]
fn partials_of_partials_are_not_followed_to_their_end() {
    let text = "import functools\nx = print\nfor i in range(2000):\n    x = functools.partial(x)\nx()\n";
    assert_eq!(refusal(&load(text)), None);
}

#[test]
fn work_over_long_lists_counts_by_their_length() {
    let text = "s = list(range(2000))\nfor i in range(2000):\n    x = i in s\n    a, *b = s\n    y = s[i]\n";
    assert_eq!(refusal(&load(text)), None);
}

#[test]
fn a_text_that_means_itself_is_no_annotation() {
    let text = format!(
        "{IMPORTS}X = 'Union[X, Y]'\nY = 'X'\n@tool(description='d')\nasync def f(a: X, b: 'list[X]'): pass\n"
    );
    assert_eq!(refusal(&load(&text)), None);
}

#[test]
fn classes_that_derive_from_each_other_without_end_are_not_searched() {
    let chain = "class A: pass\nfor i in range(2000):\n    class A(A): pass\nx = A.foo\n";
    assert_eq!(refusal(&load(chain)), None);
    let lattice = "class A: pass\nclass B: pass\nfor i in range(60):\n    class C(A, B): pass\n    class D(A, B): pass\n    A, B = C, D\nx = A.foo\n";
    assert_eq!(refusal(&load(lattice)), None);
}
