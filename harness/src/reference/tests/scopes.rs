//! Names: whose scope binds them, and modules whose names come from elsewhere.

use super::{load, load_files, refusal};

#[track_caller]
fn loads(text: &str) {
    assert_eq!(refusal(&load(text)), None, "{text}");
}

#[test]
fn a_comprehension_in_a_class_iterates_the_names_of_the_class() {
    loads(
        "class A:\n    n = [1]\n    m = [x for x in n]\n    o = {x: x for x in n}\n    p = {x for x in n}\n",
    );
    assert!(refusal(&load("class A:\n    n = [1]\n    m = [n for x in n for y in n]\n")).is_some());
}

#[test]
fn a_named_expression_binds_around_the_comprehension() {
    loads("xs = [(last := x) for x in [1, 2]]\nassert last == 2\n");
    loads("import os\nxs = [y for x in os.listdir() if (y := x)]\nprint(y)\n");
    loads("import os\nif os.x and (y := os.z):\n    pass\nprint(y)\n");
    loads("any((hit := x) > 1 for x in [1, 2, 3])\nassert hit != 3\n");
}

#[test]
fn a_class_body_knows_its_module_and_name() {
    loads("class A:\n    key = __module__ + '.' + __qualname__\nassert A.key.endswith('.A')\n");
    loads("class A:\n    def __init_subclass__(cls): pass\n    def f(self): pass\nA.__init_subclass__()\n");
}

#[test]
fn a_pattern_binds_what_it_captures() {
    loads("v = [1, 2]\nmatch v:\n    case [x, y]:\n        z = x + y\nassert z == 3\n");
    loads(
        "import os\nmatch os.name:\n    case {'a': x, **rest}:\n        z = x\n    case [*all]:\n        z = all\n    case other:\n        z = other\nprint(z)\n",
    );
    loads(
        "match 'b':\n    case 'a' | 'c':\n        raise ValueError\n    case None | True:\n        raise ValueError\n    case str() as x if False:\n        raise ValueError\n    case _:\n        z = 1\n",
    );
    assert!(
        refusal(&load("match 'a':\n    case 'a':\n        raise ValueError\n    case _:\n        pass\n"))
            .is_some()
    );
}

#[test]
fn a_module_has_attributes_that_it_does_not_bind() {
    let tools = "import lib.a\nx = lib.a.__dict__\ny = lib.a.anything\nfrom lib.a import more\nimport lib.b\nz = lib.b.__spec__\n";
    let lazy = "def __getattr__(name):\n    return name\n";
    let files = [("skills/s/tools.py", tools), ("lib/a.py", lazy), ("lib/b.py", "")];
    assert_eq!(refusal(&load_files(&files)), None);
    let missing = [("skills/s/tools.py", "import lib.b\nx = lib.b.anything\n"), ("lib/b.py", "")];
    assert!(refusal(&load_files(&missing)).is_some());
}

#[test]
fn a_package_may_rename_what_its_module_is_called() {
    let tools = "from lib.p.thing import thing as one\nfrom lib.p import thing\nassert thing() == one()\n";
    let files = [
        ("skills/s/tools.py", tools),
        ("lib/p/__init__.py", "from .thing import thing\n"),
        ("lib/p/thing.py", "def thing():\n    return 1\n"),
    ];
    assert_eq!(refusal(&load_files(&files)), None);
}

#[test]
fn a_module_is_not_called() {
    assert!(refusal(&load("import datetime\nx = datetime(2020, 1, 1)\n")).is_some());
    loads("from datetime import datetime\nx = datetime(2020, 1, 1)\n");
}
