//! Endpoints that a framework serves itself, and that run members of the types which implement its contracts.
//!
//! Source: the documentation of IdentityServer (Duende, and IdentityServer4 before it) on its endpoints and on the services
//! that they call.

use cortex_bind::{MemberNode, TypeNode};

/// A contract of a framework with a member of it, and the endpoint that calls this.
type Served = (&'static str, &'static str, &'static str, &'static str);

const TOKEN: (&str, &str) = ("POST", "/connect/token");
const AUTHORIZE: (&str, &str) = ("GET", "/connect/authorize");
const USER_INFO: (&str, &str) = ("GET", "/connect/userinfo");
const END_SESSION: (&str, &str) = ("GET", "/connect/endsession");

const ENDPOINTS: [Served; 13] = [
    calls("IClientStore", "FindClientByIdAsync", TOKEN),
    calls("IClientStore", "FindClientByIdAsync", AUTHORIZE),
    calls(
        "ICustomAuthorizeRequestValidator",
        "ValidateAsync",
        AUTHORIZE,
    ),
    calls("ICustomTokenRequestValidator", "ValidateAsync", TOKEN),
    calls("IExtensionGrantValidator", "ValidateAsync", TOKEN),
    calls("IProfileService", "GetProfileDataAsync", TOKEN),
    calls("IProfileService", "GetProfileDataAsync", USER_INFO),
    calls("IProfileService", "IsActiveAsync", TOKEN),
    calls(
        "IRedirectUriValidator",
        "IsPostLogoutRedirectUriValidAsync",
        END_SESSION,
    ),
    calls(
        "IRedirectUriValidator",
        "IsRedirectUriValidAsync",
        AUTHORIZE,
    ),
    calls("IRefreshTokenService", "ValidateRefreshTokenAsync", TOKEN),
    calls("IResourceOwnerPasswordValidator", "ValidateAsync", TOKEN),
    calls("ITokenRequestValidator", "ValidateRequestAsync", TOKEN),
];

const fn calls(
    contract: &'static str,
    member: &'static str,
    by: (&'static str, &'static str),
) -> Served {
    (contract, member, by.0, by.1)
}

/// The endpoints that run a member of a type, by the names of the contracts in its base list: verb and path.
pub(super) fn endpoints_of<'n>(
    node: &'n TypeNode,
    member: &'n MemberNode,
) -> impl Iterator<Item = (&'static str, String)> + 'n {
    let of_member = ENDPOINTS
        .iter()
        .filter(move |(contract, name, ..)| *name == member.name && implements(node, contract));
    of_member.map(|(_, _, verb, path)| (*verb, (*path).to_owned()))
}

/// Whether an endpoint of a framework runs members of a type.
pub(crate) fn is_served(node: &TypeNode) -> bool {
    ENDPOINTS
        .iter()
        .any(|(contract, ..)| implements(node, contract))
}

fn implements(node: &TypeNode, contract: &str) -> bool {
    (node.base_list.iter()).any(|base| base.simple_name() == contract)
}
