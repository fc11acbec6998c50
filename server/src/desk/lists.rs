//! Lists of reports at the desk.

use desk::backend::{Choice, List};
use desk::model::{Other, Queue};
use domain::{cursor::Cursor, report::Status};
use model::ReportType;
use store::{Choices, Key, Listed, Order, Page, ReportList};
use url::form_urlencoded;

use super::desk_session::DeskSession;
use crate::{
    operator::v1::reports::selected,
    presence,
    problem::{Problem, Result, quoted},
};

/// Orders of a list, by the value of the parameter `order`.
const ORDERS: [(&str, Order); 4] = [
    ("newest", Order::NewestFirst),
    ("oldest", Order::OldestFirst),
    ("event-newest", Order::NewestEventFirst),
    ("event-oldest", Order::OldestEventFirst),
];

impl DeskSession {
    /// Returns a page of the list that a query selects, with the choices of its filters.
    pub(super) async fn list_page(&self, query: &str) -> Result<List> {
        let current = self.current_version().await?;
        let (status, list) = list(query)?;
        let Page { listed, total, choices } = self.store.reports().page(status, &list).await?;
        let by_status = self.store.reports().by_status().await?;
        let queue = self.queue(current, list.order, listed, total, &by_status).await?;
        let Choices { countries, regions, cities, types } = choices;
        let choices = |choices: Vec<store::Choice>| {
            choices
                .into_iter()
                .map(|store::Choice { name, reports }| Choice { name, reports })
                .collect()
        };
        let kind =
            |(kind, reports): (ReportType, u64)| Choice { name: kind.as_str().to_owned(), reports };
        let status =
            |(status, reports): (Status, u64)| Choice { name: status.as_str().to_owned(), reports };
        Ok(List {
            queue,
            statuses: by_status.map(status).to_vec(),
            countries: choices(countries),
            regions: choices(regions),
            cities: choices(cities),
            types: ReportType::ALL.into_iter().zip(types).map(kind).collect(),
        })
    }

    /// Returns a page of the list that a query selects, without the choices of its filters.
    pub(super) async fn queue_page(&self, query: &str) -> Result<Queue> {
        let current = self.current_version().await?;
        let (status, list) = list(query)?;
        let (listed, total) = self.store.reports().page_without_choices(status, &list).await?;
        let by_status = self.store.reports().by_status().await?;
        self.queue(current, list.order, listed, total, &by_status).await
    }

    /// Returns a page as it is shown. The version is read before the page, so that what changes in
    /// between is read once more.
    async fn queue(
        &self,
        (version, others): (String, Vec<Other>),
        order: Order,
        listed: Listed,
        total: Option<u64>,
        by_status: &[(Status, u64)],
    ) -> Result<Queue> {
        let waiting = by_status.iter().find(|(status, _)| *status == Status::Pending);
        Ok(Queue {
            next: listed.next.and_then(|next| text_of(next, order)),
            items: self.items(listed.reports).await?,
            waiting: waiting.map_or(0, |(_, count)| *count),
            total,
            decisions: self.decisions().await?,
            others,
            version,
        })
    }
}

impl DeskSession {
    /// Notes that the person looks at the report with this id, and returns the version of all lists.
    pub(super) async fn version_at(&self, current: &str) -> Result<String> {
        if let Some(token) = &self.token {
            self.app.presence.note(token.hash(), &self.person.name, current);
        }
        Ok(self.current_version().await?.0)
    }

    /// The version of all lists, and what others are looking at.
    async fn current_version(&self) -> Result<(String, Vec<Other>)> {
        let others = self.app.presence.others(&self.person.name);
        let lists = self.store.reports().lists_version().await?;
        Ok((presence::version(lists, &others), others))
    }
}

/// The status and the list that a query selects, for showing, counting and deciding. The default
/// status is pending.
pub(super) fn list(query: &str) -> Result<(Status, ReportList)> {
    let (mut order, mut after) = (Order::default(), None);
    let mut rest = form_urlencoded::Serializer::new(String::new());
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match &*name {
            "order" => {
                let known = ORDERS.iter().find(|(name, _)| *name == value);
                let unknown = || {
                    let known: Vec<&str> = ORDERS.iter().map(|(name, _)| *name).collect();
                    let (value, known) = (quoted(&value), known.join(", "));
                    Problem::invalid_parameter(format!(
                        "The order {value:?} is not one of {known}."
                    ))
                };
                order = known.ok_or_else(unknown)?.1;
            }
            "after" => {
                let broken = || {
                    Problem::invalid_parameter("This is no page of the list: begin at its start.")
                };
                after = Some(key_of(&value).ok_or_else(broken)?);
            }
            _ => _ = rest.append_pair(&name, &value),
        }
    }
    let mut list = ReportList { order, after, ..selected(Some(&rest.finish()))? };
    let status = *list.selection.status.get_or_insert(Status::Pending);
    Ok((status, list))
}

/// The query of a list without its page.
pub(super) fn whole(query: &str) -> String {
    let pairs = form_urlencoded::parse(query.as_bytes());
    let kept = pairs.filter(|(name, value)| name != "after" && !value.is_empty());
    form_urlencoded::Serializer::new(String::new()).extend_pairs(kept).finish()
}

/// Cursor of the page after a report, in a list of this order.
fn text_of(Key { day, seq }: Key, order: Order) -> Option<String> {
    let cursor = Cursor::after(seq)?;
    Some(match order {
        Order::NewestFirst | Order::OldestFirst => cursor.to_string(),
        Order::NewestEventFirst | Order::OldestEventFirst => format!("{cursor}.{day}"),
    })
}

fn key_of(text: &str) -> Option<Key> {
    let (cursor, day) = text.split_once('.').unwrap_or((text, "0"));
    Some(Key { day: day.parse().ok()?, seq: cursor.parse::<Cursor>().ok()?.seq() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_and_cursors_are_read_as_written_and_anything_else_is_a_problem() {
        let key = Key { day: -3, seq: 17 };
        for (name, order) in ORDERS {
            let after = text_of(key, order).unwrap();
            let (status, list) = list(&format!("order={name}&after={after}&q=a")).unwrap();
            assert_eq!((status, list.order), (Status::Pending, order));
            let expected = if after.contains('.') { key } else { Key { day: 0, ..key } };
            assert_eq!(list.after, Some(expected));
            assert_eq!(list.selection.text.as_deref(), Some("a"));
        }
        assert_eq!(list("status=REJECTED").unwrap().0, Status::Rejected);
        for (query, detail) in [
            (
                "order=random",
                "The order \"random\" is not one of newest, oldest, event-newest, event-oldest.",
            ),
            ("after=c_1", "This is no page of the list: begin at its start."),
            ("after=", "This is no page of the list: begin at its start."),
        ] {
            assert_eq!(list(query).unwrap_err().0.detail, detail);
        }
        for query in
            ["from=2026-02-30", "from=2026-03-02&to=2026-03-01", "status=LOST", "type=fire"]
        {
            assert!(list(query).is_err(), "{query}");
        }
    }
}
