use super::{
    backend::SharedWork,
    words::{
        common::REASON,
        deciding::{NO_REASON, NOTE_OPTIONAL},
        t,
    },
};
use leptos::prelude::*;

/// Fields for the reason of a decision, which is optional: one of the operator's reasons, and a
/// note.
#[component]
pub(super) fn ReasonFields(
    /// Whether the reasons for rejecting are offered, not only the note.
    offers_reasons: bool,
) -> impl IntoView {
    let reasons = expect_context::<SharedWork>().reasons();
    let reasons = (offers_reasons && !reasons.is_empty()).then(|| {
        let options = (1..).zip(reasons).map(|(number, reason)| {
            // The key on a report's page.
            let key = (number <= 9).then_some(number);
            view! { <option value=reason.clone() data-key=key>{reason.clone()}</option> }
        });
        view! {
            <label>
                {t(REASON)} " " <select name="reason">
                    <option value="">{t(NO_REASON)}</option>
                    {options.collect_view()}
                </select>
            </label>
        }
    });
    view! {
        <div class="fields reason">
            {reasons}
            <label>{t(NOTE_OPTIONAL)} " " <input name="note" maxlength="500" autocomplete="off" /></label>
        </div>
    }
}
