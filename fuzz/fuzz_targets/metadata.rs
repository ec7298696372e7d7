//! Any bytes are an assembly that can be read to its end, or an error; a small one costs little.

#![no_main]

use cortex_metadata::Assembly;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(assembly) = Assembly::from_bytes(bytes.to_vec()) else {
        return;
    };
    for row in assembly.types() {
        assembly.type_def(row);
        assembly.members(row);
        assembly.extension_blocks(row);
        assembly.nested(row);
    }
    assembly.friends();
    assembly.namespaces().for_each(drop);
});
