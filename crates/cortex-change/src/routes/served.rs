//! Endpoints that a framework serves itself, and that run members of the types which implement its contracts.
//!
//! Source: the documentation of IdentityServer (Duende, and IdentityServer4 before it) on its endpoints and on the services
//! that they call.

use cortex_bind::{MemberNode, TypeNode};

/// A verb and a path.
type Endpoint = (&'static str, &'static str);

const TOKEN: Endpoint = ("POST", "/connect/token");
const AUTHORIZE: Endpoint = ("GET", "/connect/authorize");
const USER_INFO: Endpoint = ("GET", "/connect/userinfo");
const END_SESSION: Endpoint = ("GET", "/connect/endsession");

/// Members of contracts by the endpoints that call them.
const CALLED: [(Endpoint, &[(&str, &str)]); 4] = [
    (
        TOKEN,
        &[
            ("IClientStore", "FindClientByIdAsync"),
            ("ICustomTokenRequestValidator", "ValidateAsync"),
            ("IExtensionGrantValidator", "ValidateAsync"),
            ("IProfileService", "GetProfileDataAsync"),
            ("IProfileService", "IsActiveAsync"),
            ("IRefreshTokenService", "ValidateRefreshTokenAsync"),
            ("IResourceOwnerPasswordValidator", "ValidateAsync"),
            ("ITokenRequestValidator", "ValidateRequestAsync"),
        ],
    ),
    (
        AUTHORIZE,
        &[
            ("IClientStore", "FindClientByIdAsync"),
            ("ICustomAuthorizeRequestValidator", "ValidateAsync"),
            ("IRedirectUriValidator", "IsRedirectUriValidAsync"),
        ],
    ),
    (USER_INFO, &[("IProfileService", "GetProfileDataAsync")]),
    (
        END_SESSION,
        &[("IRedirectUriValidator", "IsPostLogoutRedirectUriValidAsync")],
    ),
];

/// The endpoints that run a member of a type, by the names of the contracts in its base list: verb and path.
pub(super) fn endpoints_of<'n>(
    node: &'n TypeNode,
    member: &'n MemberNode,
) -> impl Iterator<Item = (&'static str, String)> + 'n {
    let calling = CALLED.iter().filter(|(_, called)| {
        let mut called = called.iter();
        called.any(|(contract, name)| *name == member.name && implements(node, contract))
    });
    calling.map(|((verb, path), _)| (*verb, (*path).to_owned()))
}

/// Whether an endpoint of a framework runs members of a type.
pub(crate) fn is_served(node: &TypeNode) -> bool {
    let mut called = CALLED.iter().flat_map(|(_, called)| *called);
    called.any(|(contract, _)| implements(node, contract))
}

fn implements(node: &TypeNode, contract: &str) -> bool {
    (node.base_list.iter()).any(|base| base.simple_name() == contract)
}
