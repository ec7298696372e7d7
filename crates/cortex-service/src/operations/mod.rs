//! The operations, each a function from a request to its answer in an envelope.

mod care;
mod change;
mod edit;
mod edit_member;
mod fresh;
mod look;
mod pack;
mod scope;
mod search;
mod window;

pub use care::{config, export, export_to, gc, index, status};
pub use change::{api, diff_context, history, prove, tests};
pub use edit::{
    ReviewDecision, edit_rename, ops_apply, ops_drop, ops_list, ops_show, ops_undo, review, sign,
    text_to_sign, verify,
};
pub use edit_member::{
    edit_add_attribute, edit_add_member, edit_add_using, edit_batch, edit_change_signature,
    edit_encapsulate_field, edit_extract_base, edit_extract_interface, edit_extract_method,
    edit_implement_interface, edit_inline_method, edit_inline_variable, edit_insert_after,
    edit_insert_before, edit_move, edit_organize_usings, edit_patch, edit_remove_member,
    edit_replace_body, edit_replace_member, edit_rewrite, edit_safe_delete,
};
pub use fresh::{check, export_context};
pub use look::{
    callees, callers, cycles, cycles_with_graph, deps, deps_with_graph, hierarchy, implementations,
    map, outline, overrides, resolve, source, unused, usages,
};
pub use pack::{pack_build, pack_list, pack_remove, pack_show};
pub use scope::{scope_describe, scope_files, scope_list, scope_resolve, scope_validate};
pub use search::{areas, search_files, search_safe, search_symbols, search_text};
pub use window::{context_add, context_clear, dismiss, pin, unpin, window};

pub(crate) use window::follow;
