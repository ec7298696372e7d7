//! Lists in pages, as the protocol has them.

use rmcp::{ErrorData, model::PaginatedRequestParams};

/// So many items are on a page.
const N_ITEMS: usize = 100;

/// The page of a list that a request asks for, and the cursor of the next one.
///
/// # Errors
/// Invalid parameters, where the cursor is none that a page of this list had.
pub(crate) fn page<T>(
    all: Vec<T>,
    request: Option<&PaginatedRequestParams>,
) -> Result<(Vec<T>, Option<String>), ErrorData> {
    let start = match request.and_then(|it| it.cursor.as_deref()) {
        None => 0,
        Some(cursor) => (cursor.parse().ok())
            .filter(|at| at % N_ITEMS == 0 && (1..all.len()).contains(at))
            .ok_or_else(|| {
                let message = "the cursor is none of this list: ask without one for the first page";
                ErrorData::invalid_params(message, None)
            })?,
    };
    let end = start + N_ITEMS;
    let next = (end < all.len()).then(|| end.to_string());
    Ok((all.into_iter().skip(start).take(N_ITEMS).collect(), next))
}

#[cfg(test)]
mod tests {
    use rmcp::model::PaginatedRequestParams;

    use super::page;

    fn request(cursor: &str) -> PaginatedRequestParams {
        PaginatedRequestParams::default().with_cursor(Some(cursor.to_owned()))
    }

    #[test]
    fn the_pages_of_a_list_are_the_list() {
        for n in [0, 1, 99, 100, 101, 200, 250] {
            let all: Vec<usize> = (0..n).collect();
            let (mut read, mut next) = page(all.clone(), None).expect("there is a first page");
            while let Some(cursor) = next {
                let more = page(all.clone(), Some(&request(&cursor))).expect("there is a next one");
                assert!(!more.0.is_empty());
                read.extend(more.0);
                next = more.1;
            }
            assert_eq!(read, all);
        }
    }

    #[test]
    fn another_cursor_is_refused() {
        for cursor in [
            "",
            "0",
            "-100",
            "50",
            "100",
            "200",
            "18446744073709551616",
            "a",
        ] {
            let error = page(vec![0; 100], Some(&request(cursor))).expect_err("it is refused");
            assert_eq!(error.code, rmcp::model::ErrorCode::INVALID_PARAMS);
        }
    }
}
