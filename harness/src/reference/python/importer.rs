//! Imports: which module a name means, and running each module once.
//!
//! Rules: tools-reference, "Importing shared project code": the project root is on the path while tool
//! modules are imported. Modules live as long as one load (DSC-42).

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::exception::{Halt, Raised, RaisedClass};
use super::interpreter::Interpreter;
use super::module::Module;
use super::scope::Lookup;
use super::source_file::SourceFile;
use super::standard;
use super::value::{Unknown, Value};
use crate::project::ProjectSource;
use crate::protocol::{SourcePlace, World};

/// Finds and keeps the modules of one load.
pub(crate) struct Importer<'project> {
    /// The project, while its root is on the path.
    project: Option<&'project dyn ProjectSource>,
    world: &'project World,
    pub(super) loaded: Rc<RefCell<BTreeMap<String, Value>>>,
    folders: BTreeSet<String>,
}

impl<'project> Importer<'project> {
    /// An importer without any module loaded.
    pub(crate) fn new(project: &'project dyn ProjectSource, world: &'project World) -> Self {
        let mut folders = BTreeSet::new();
        for path in project.paths() {
            let is_python = std::path::Path::new(path).extension().is_some_and(|ending| ending == "py");
            for (slash, _) in path.match_indices('/').filter(|_| is_python) {
                folders.insert(path.get(..slash).unwrap_or_default().to_owned());
            }
        }
        Self { project: Some(project), world, loaded: Rc::default(), folders }
    }

    /// An importer that finds what was loaded, and nothing of the project besides.
    pub(super) fn loaded(loaded: &Rc<RefCell<BTreeMap<String, Value>>>, world: &'project World) -> Self {
        Self { project: None, world, loaded: Rc::clone(loaded), folders: BTreeSet::new() }
    }

    /// Where a dotted name leads in the project: a file, or a folder without one.
    fn find(&self, dotted: &str) -> Option<Found> {
        let path = dotted.replace('.', "/");
        let package = format!("{path}/__init__.py");
        let file = format!("{path}.py");
        let project = self.project?;
        if let Some(bytes) = project.read(&package) {
            return Some(Found::File { path: package, bytes: bytes.into_owned(), is_package: true });
        }
        if let Some(bytes) = project.read(&file) {
            return Some(Found::File { path: file, bytes: bytes.into_owned(), is_package: false });
        }
        self.folders.contains(&path).then_some(Found::Folder)
    }
}

enum Found {
    File { path: String, bytes: Vec<u8>, is_package: bool },
    Folder,
}

impl Interpreter<'_> {
    /// Runs a tool module: a file on its own, known to no import.
    pub(crate) fn run_tool_module(&mut self, path: &str) -> Result<Rc<Module>, Rc<Raised>> {
        let read = self.importer.project.and_then(|project| project.read(path));
        let bytes = read.unwrap_or_default().into_owned();
        let name = path.trim_end_matches(".py").replace(['/', '-', ' ', '.'], "_");
        let module = Module::new(&name, "");
        self.run_module(&module, path, &bytes).map(|()| module)
    }

    /// Imports a module by its absolute dotted name.
    pub(crate) fn import(&mut self, dotted: &str, place: &SourcePlace) -> Result<Value, Halt> {
        let mut parent: Option<Value> = None;
        let mut prefix = String::new();
        for part in dotted.split('.') {
            if !prefix.is_empty() {
                prefix.push('.');
            }
            prefix.push_str(part);
            let known = self.importer.loaded.borrow().contains_key(&prefix);
            let current = self.import_one(&prefix, place)?;
            // A package may have bound the name to something else once its module was loaded.
            if let (Some(Value::Module(parent)), Value::Module(_), false) = (&parent, &current, known) {
                parent.scope.assign(part, current.clone());
            }
            if let Value::Unknown(_) = current {
                return Ok(current);
            }
            parent = Some(current);
        }
        Ok(parent.unwrap_or(Value::None))
    }

    fn import_one(&mut self, dotted: &str, place: &SourcePlace) -> Result<Value, Halt> {
        if let Some(module) = self.importer.loaded.borrow().get(dotted) {
            return Ok(module.clone());
        }
        if standard::is_provided(dotted) {
            return Ok(Value::Opaque(Rc::from(dotted)));
        }
        let Some(found) = self.importer.find(dotted) else { return self.import_missing(dotted, place) };
        let (module, file) = match found {
            Found::Folder => (Module::new(dotted, dotted), None),
            Found::File { path, bytes, is_package } => {
                let package =
                    if is_package { dotted } else { dotted.rsplit_once('.').map_or("", |(head, _)| head) };
                (Module::new(dotted, package), Some((path, bytes)))
            }
        };
        self.importer.loaded.borrow_mut().insert(dotted.to_owned(), Value::Module(Rc::clone(&module)));
        if let Some((path, bytes)) = file
            && let Err(raised) = self.run_module(&module, &path, &bytes)
        {
            self.importer.loaded.borrow_mut().remove(dotted);
            return Err(Halt::Raised(raised));
        }
        Ok(Value::Module(module))
    }

    /// Whether `lib.world` has a member of this name: a service, what holds services, or `busy`.
    fn has_service(&self, name: &str) -> bool {
        let mut services = self.importer.world.services.keys();
        name == "busy" || services.any(|service| service.as_str().split('.').next() == Some(name))
    }

    fn import_missing(&mut self, dotted: &str, place: &SourcePlace) -> Result<Value, Halt> {
        let root = dotted.split('.').next().unwrap_or(dotted);
        let world = self.importer.world;
        let services = |package: &str| package == "lib.world" && !world.open;
        if services(dotted) {
            return Ok(Value::Opaque(Rc::from(dotted)));
        }
        if dotted == "lib" && !world.open {
            // Where the project has no `lib` of its own, `lib.world` stands alone in it.
            return Ok(Value::Module(Module::new(dotted, dotted)));
        }
        let installed = world.packages.iter().any(|package| package == root);
        let ours = self.importer.find(root).is_some();
        if installed || (world.open && !ours) {
            let why = if installed {
                format!("`{root}` is installed but cannot be read")
            } else if root == "rasa" {
                format!("the contract does not name `{dotted}`")
            } else {
                format!("`{root}` is not in this project")
            };
            self.doubt();
            return Ok(Value::Unknown(Unknown::new(why, place.clone())));
        }
        Err(raise("ModuleNotFoundError", format!("No module named '{dotted}'"), place))
    }

    /// Takes a name out of a module, importing a submodule of that name where there is one.
    pub(crate) fn import_from(
        &mut self,
        module: &Value,
        dotted: &str,
        name: &str,
        place: &SourcePlace,
    ) -> Result<Value, Halt> {
        match module {
            Value::Module(module) => match module.scope.lookup(name) {
                Lookup::Bound(value) => Ok(value),
                Lookup::Perhaps(unknown) => Ok(Value::Unknown(unknown)),
                Lookup::Missing => {
                    let submodule = format!("{dotted}.{name}");
                    let world = dotted == "lib" && name == "world";
                    if self.importer.find(&submodule).is_some() || world {
                        return self.import(&submodule, place);
                    }
                    if let Some(value) = module.unread_attribute(name) {
                        return Ok(value);
                    }
                    if !module.scope.complete.get() {
                        let why = format!("`{dotted}` could not be read to its end");
                        return Ok(Value::Unknown(Unknown::new(why, place.clone())));
                    }
                    let message = format!("cannot import name '{name}' from '{dotted}'");
                    Err(raise("ImportError", message, place))
                }
            },
            Value::Opaque(path) if &**path == "lib.world" && !self.has_service(name) => {
                Err(raise("ImportError", format!("the world declares no service `{name}`"), place))
            }
            Value::Opaque(path) => match standard::engine_members(path) {
                Some(members) if !members.contains(&name) && self.importer.world.open => {
                    let why = format!("the contract does not say that `{path}` has `{name}`");
                    self.doubt();
                    Ok(self.unknown_at(place.clone(), why))
                }
                Some(members) if !members.contains(&name) => {
                    Err(raise("ImportError", format!("cannot import name '{name}' from '{path}'"), place))
                }
                _ => Ok(standard::member(path, name)),
            },
            Value::Unknown(unknown) => {
                self.doubt();
                Ok(Value::Unknown(Rc::clone(unknown)))
            }
            _ => Err(raise("ImportError", format!("cannot import name '{name}' from '{dotted}'"), place)),
        }
    }

    /// A submodule that some import has loaded.
    pub(super) fn loaded_submodule(&self, package: &str, name: &str) -> Option<Value> {
        self.importer.loaded.borrow().get(&format!("{package}.{name}")).cloned()
    }

    /// The absolute name a relative import means.
    pub(crate) fn resolve_relative(
        module: &Module,
        level: u32,
        name: Option<&str>,
        place: &SourcePlace,
    ) -> Result<String, Halt> {
        if level == 0 {
            return Ok(name.unwrap_or_default().to_owned());
        }
        if module.package.is_empty() {
            let message = "attempted relative import with no known parent package".to_owned();
            return Err(raise("ImportError", message, place));
        }
        let mut base = module.package.as_str();
        for _ in 1..level {
            let Some((head, _)) = base.rsplit_once('.') else {
                let message = "attempted relative import beyond top-level package".to_owned();
                return Err(raise("ImportError", message, place));
            };
            base = head;
        }
        Ok(name.map_or_else(|| base.to_owned(), |name| format!("{base}.{name}")))
    }

    fn run_module(&mut self, module: &Rc<Module>, path: &str, bytes: &[u8]) -> Result<(), Rc<Raised>> {
        let file = SourceFile::parse(path, bytes).map_err(|problem| {
            Rc::new(Raised {
                class: RaisedClass::Builtin(Rc::from("SyntaxError")),
                message: problem.message,
                place: problem.place,
                value: None,
            })
        })?;
        self.run_file(module, &file)
    }
}

/// A built-in exception on its way.
pub(crate) fn raise(class: &str, message: String, place: &SourcePlace) -> Halt {
    Halt::Raised(Rc::new(Raised {
        class: RaisedClass::Builtin(Rc::from(class)),
        message,
        place: place.clone(),
        value: None,
    }))
}
