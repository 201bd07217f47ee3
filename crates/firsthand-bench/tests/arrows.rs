//! Imports between the modules of a crate point in one direction: no module reaches itself through
//! others. A module here is a file or folder directly under `src`; tests inside it do not count.
#![allow(clippy::unwrap_used)]

mod sources;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

type Imports = BTreeMap<String, BTreeSet<String>>;

/// The first names of everything that is imported from the crate: of `crate::a::b` and of
/// `crate::{a::b, c}`, at whatever depth of braces.
fn imported(code: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let name = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    for rest in code.split("crate::").skip(1) {
        let Some(list) = rest.strip_prefix('{') else {
            names.insert(name(rest));
            continue;
        };
        let (mut depth, mut item) = (1, String::new());
        for c in list.chars() {
            depth += i32::from(c == '{') - i32::from(c == '}');
            if depth == 0 || depth == 1 && c == ',' {
                names.insert(name(&std::mem::take(&mut item)));
            } else {
                item.push(c);
            }
            if depth == 0 {
                break;
            }
        }
    }
    names.remove("");
    names
}

fn imports(src: &Path) -> Imports {
    let mut imports = Imports::new();
    for (file, text) in sources::product(src) {
        let module = file.split('/').next().unwrap().trim_end_matches(".rs").to_owned();
        if module == "lib" || module == "main" {
            continue;
        }
        let code = text.lines().map(|line| line.split("//").next().unwrap());
        let names = imported(&code.collect::<Vec<_>>().join("\n"));
        imports.entry(module).or_default().extend(names);
    }
    imports
}

/// The way from a module back to itself, if there is one.
fn cycle(imports: &Imports, start: &str) -> Option<Vec<String>> {
    let mut from: BTreeMap<&str, &str> = BTreeMap::new();
    let mut open = vec![start];
    while let Some(module) = open.pop() {
        for next in imports.get(module).into_iter().flatten().filter(|next| *next != module) {
            if next == start {
                let mut way = vec![start.to_owned(), module.to_owned()];
                while let Some(before) = from.get(way.last().unwrap().as_str()) {
                    way.push((*before).to_owned());
                }
                way.reverse();
                return Some(way);
            }
            if imports.contains_key(next) && !from.contains_key(next.as_str()) {
                from.insert(next, module);
                open.push(next);
            }
        }
    }
    None
}

#[test]
fn no_module_imports_itself_through_others() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut checked = 0;
    for entry in fs::read_dir(crates).unwrap() {
        let folder = entry.unwrap().path();
        let imports = imports(&folder.join("src"));
        checked += imports.len();
        for module in imports.keys() {
            let cycle = cycle(&imports, module).map(|way| way.join(" -> "));
            assert_eq!(cycle, None, "in {}", folder.display());
        }
    }
    assert!(checked > 100, "{checked} modules");
}

#[test]
fn imports_behind_the_name_of_tests_count() {
    let code = "#[cfg(test)]\nmod tests;\nuse crate::b;\n#[cfg(test)]\nmod tests {\n use crate::c;";
    assert_eq!(imported(sources::without_tests(code)), ["b".to_owned()].into());
}

#[test]
fn a_cycle_is_found() {
    let import = |name: &str, code: &str| (name.to_owned(), imported(code));
    let imports: Imports = [
        import("a", "use crate::{b::{X, Y}, d};"),
        import("b", "let x = crate::c::f();"),
        import("c", "use crate::{d, a::Z};"),
        import("d", "use std::fmt;"),
    ]
    .into();
    assert_eq!(cycle(&imports, "a").unwrap().join(" "), "a b c a");
    assert_eq!(cycle(&imports, "d"), None);
}
