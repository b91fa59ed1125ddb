//! Descriptions that are computed: what Python shows, or not known, and never something else.

use super::{IMPORTS, load, only_tool};

#[track_caller]
fn described(before: &str, description: &str) -> Option<String> {
    let text = format!("{IMPORTS}{before}\n@tool(description={description})\nasync def f(): pass\n");
    only_tool(&load(&text)).description.clone()
}

#[track_caller]
fn shows(before: &str, description: &str, expected: &str) {
    assert_eq!(described(before, description).as_deref(), Some(expected), "{description}");
}

#[test]
fn formats_are_pythons() {
    shows(
        "n = 12345\nf = 3.5",
        "f'{n:,} {f:.2f} {n!r:>7} {f:.0%} {n / 2}'",
        "12,345 3.50   12345 350% 6172.5",
    );
    shows("names = ['a', \"it's\"]", "f'{names} {(1,)} { {1: None} }'", "['a', \"it's\"] (1,) {1: None}");
    shows("", "'%-3s|%5.1f|%r' % ('a', 1.25, None)", "a  |  1.2|None");
    shows("d = {'a': 1}", "'%(a)s {a:>2}'.format(**d) % d", "1  1");
    assert_eq!(described("n = 5", "f'{n:x}'"), None);
}

#[test]
fn texts_lists_and_dicts_have_pythons_methods() {
    shows("", "'hello world'[:5] + 'abc'[-1] + 'abc'[::-1]", "helloccba");
    shows(
        "d = {'a': 'x'}\nd.update(b='y')\nd.setdefault('a', 'z')",
        "str(d | {'c': 'w'})",
        "{'a': 'x', 'b': 'y', 'c': 'w'}",
    );
    shows(
        "l = ['b']\nl.insert(0, 'a')\ni = l.index('b')\nc = l.copy()\nl.reverse()",
        "','.join(l) + str(i)",
        "b,a1",
    );
    shows("d = {k: k * 2 for k in 'ab'}", "','.join(d) + d['b']", "a,bbb");
    shows("", "'x y'.title() + 'ab'.capitalize() + '5'.zfill(3) + ' -a-'.strip(' -')", "X YAb005a");
}

#[test]
fn what_only_reads_a_value_leaves_it_known() {
    let before = "import logging, json\nd = {'a': 'x'}\nlogging.info('%s', d)\nlog = logging.getLogger(__name__)\nlog.info('%s', d)\njson.dumps(d)\n";
    shows(before, "d['a']", "x");
}

#[test]
fn a_member_of_an_enumeration_is_not_its_value() {
    let plain = "import enum\nclass C(enum.Enum):\n    RED = 'red'\n    BLUE = 'blue'\n    ROT = 'red'\n";
    shows(plain, "f'{C.RED} {C.RED.value} {C.BLUE.name} {len(C)}'", "C.RED red BLUE 2");
    shows(plain, "', '.join(c.value for c in C) + C['BLUE'].value", "red, blueblue");
    let text = "from enum import StrEnum\nclass C(StrEnum):\n    A = 'a'\n";
    shows(text, "f'{C.A}'", "a");
    // Versions of Python differ in what a mixed-in `str` shows.
    assert_eq!(described("import enum\nclass C(str, enum.Enum):\n    A = 'a'\n", "f'{C.A}'"), None);
    let auto = "from enum import Enum, auto\nclass C(Enum):\n    A = auto()\n    B = auto()\n";
    shows(auto, "' '.join(c.name for c in C)", "A B");
}

#[test]
fn functions_that_python_only_wraps_are_called_through() {
    let before = "from functools import cache, lru_cache\n@cache\ndef g(): return 'g'\n@lru_cache(maxsize=None)\ndef h(): return 'h'\nclass A:\n    @staticmethod\n    def s(x): return x\n    @classmethod\n    def c(cls): return cls.__name__\n";
    shows(before, "g() + h() + A.s('s') + A.c()", "ghsA");
    shows("def g():\n    'What it does'\n", "g.__doc__", "What it does");
}

#[test]
fn a_signature_that_is_replaced_is_not_known() {
    let text = format!("{IMPORTS}@tool(description='d')\nasync def f(*args): pass\nf.__signature__ = f\n");
    assert_eq!(only_tool(&load(&text)).unknown.len(), 1);
}
