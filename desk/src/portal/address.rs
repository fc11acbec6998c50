use crate::words::{
    common::SAVE,
    portal::{ADDRESS, ADDRESS_HINT, MAILS},
    t,
};
use app::shell::link;
use leptos::prelude::*;

/// The form of the partner's address for mails; empty without one.
#[component]
pub(super) fn AddressForm(address: String) -> impl IntoView {
    view! {
        <section id="mails">
            <h2>{t(MAILS)}</h2>
            <form class="subscription" method="post" action=link("/partners/do/address")>
                <label>
                    {t(ADDRESS)}
                    <input
                        type="email"
                        name="email"
                        value=address
                        dir="ltr"
                        maxlength="254"
                        autocomplete="email"
                        aria-describedby="mails-hint"
                    />
                </label>
                <p id="mails-hint" class="hint">
                    {t(ADDRESS_HINT)}
                </p>
                <div class="do">
                    <button type="submit">{t(SAVE)}</button>
                </div>
            </form>
        </section>
    }
}
