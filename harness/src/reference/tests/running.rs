//! What a module does while it is imported: code behind classes, and ends that Python has.

use super::{load, refusal};

#[track_caller]
fn loads(text: &str) {
    assert_eq!(refusal(&load(text)), None, "{text}");
}

#[track_caller]
fn fails(text: &str) {
    assert!(refusal(&load(text)).is_some(), "{text}");
}

#[test]
fn making_and_calling_a_class_runs_its_code() {
    loads(
        "class A:\n    all = []\n    def __init__(self, x): A.all.append(x)\nA(1)\nassert A.all == [1] or len(A.all) == 1\n",
    );
    loads(
        "class A:\n    kinds = {}\n    def __init_subclass__(cls, kind=None): A.kinds[kind] = cls\nclass B(A, kind='b'): pass\nassert 'b' in A.kinds\n",
    );
    loads(
        "class M(type):\n    made = []\n    def __new__(m, *a):\n        c = super().__new__(m, *a)\n        m.made.append(c)\n        return c\nclass A(metaclass=M): pass\nassert M.made\n",
    );
    fails("class A:\n    def __init__(self): raise ValueError('no')\nA()\n");
    fails("class A:\n    def __init__(self, x): pass\nA()\n");
}

#[test]
fn what_python_raises_is_raised() {
    fails("import sys\nsys.exit(1)\n");
    fails("exit()\n");
    fails("for x in 5: pass\n");
    fails("a, b = 5\n");
    fails("[1]()\n");
    fails("{[]: 1}\n");
    fails("try:\n    raise ValueError\nexcept ValueError as e:\n    pass\nprint(e)\n");
}

#[test]
fn what_is_not_read_raises_nothing() {
    loads("try:\n    raise ExceptionGroup('g', [ValueError(1)])\nexcept* ValueError as e:\n    pass\n");
    loads("exec('x = 1')\nprint(x)\n");
    loads("x: int = 1\nprint(__annotations__)\n");
    loads("from functools import partial\nassert partial(int, base=2)('101') == 5\n");
}
