//! Prints the facts of one file: `cargo run -p cortex-syntax --example dump FILE`.

use cortex_syntax::{ParseOptions, extract};

#[expect(clippy::print_stdout, reason = "this is what it is for")]
fn main() -> std::io::Result<()> {
    let path = std::env::args_os().nth(1).unwrap_or_default();
    let text = std::fs::read(path)?;
    let facts = extract(&text, &ParseOptions::default());
    let lines = cortex_model::LineTable::new(&text);
    for using in &facts.usings {
        println!("{using:?}");
    }
    for (id, decl) in facts.decls.iter().enumerate() {
        println!(
            "{id} {:?} {} {} {decl:?}",
            decl.parent,
            decl.kind,
            facts.name(decl.name)
        );
    }
    for (id, reference) in facts.refs.iter().enumerate() {
        let at = lines.position(reference.offset);
        println!(
            "{id} {}:{} {}`{} {:?} q{} {}",
            at.line,
            at.column,
            facts.name(reference.name),
            reference.arity,
            reference.context,
            reference.qualifier,
            if reference.shadowed { "shadowed" } else { "" },
        );
    }
    for (id, node) in facts.bodies.nodes.iter().enumerate() {
        println!("{id} {node:?}");
    }
    println!("errors {:?}", facts.errors);
    Ok(())
}
