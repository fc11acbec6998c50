use crate::{request::PageRequest, shell::link};
use kit::words;
use leptos::prelude::*;

words! {
    /// The corner menu, and what is in it.
    MORE: "More", "Mais", "Más", "Plus", "Mehr", "المزيد";
    OWN_PAGE:
        "Open in its own page",
        "Abrir em página própria",
        "Abrir en su propia página",
        "Ouvrir dans une page séparée",
        "Auf eigener Seite öffnen",
        "فتح في صفحة مستقلة";
    FULL_SCREEN:
        "Full screen",
        "Tela cheia",
        "Pantalla completa",
        "Plein écran",
        "Vollbild",
        "ملء الشاشة";
    COPY_CODE:
        "Copy embed code",
        "Copiar código de incorporação",
        "Copiar código para insertar",
        "Copier le code d’intégration",
        "Code zum Einbetten kopieren",
        "نسخ رمز التضمين";
    COPIED: "Copied", "Copiado", "Copiado", "Copié", "Kopiert", "تم النسخ";
    ABOUT:
        "About this service",
        "Sobre este serviço",
        "Acerca de este servicio",
        "À propos de ce service",
        "Über diesen Dienst",
        "عن هذه الخدمة";
}

/// The corner menu. Opening it and its links work without scripts; `frontend/host.js` adds copying
/// and full screen.
#[component]
pub(super) fn Menu() -> impl IntoView {
    let PageRequest { embed, lang, .. } = expect_context();
    let query = embed.options.to_query();
    let mark = if query.is_empty() { "" } else { "&" };
    let builder = link(format!("/?widget={}{mark}{query}#builder", embed.widget.name));
    let fills_screen = (embed.widget.name == "globe").then(|| {
        view! {
            <button type="button" data-do="screen" hidden>
                {FULL_SCREEN.text(lang)}
            </button>
        }
    });
    view! {
        <nav class="menu" aria-label=MORE.text(lang)>
            <button type="button" popovertarget="menu" aria-label=MORE.text(lang) title=MORE.text(lang)></button>
            <div id="menu" popover>
                <a href=link(embed.address()) target="_blank" rel="noopener">
                    {OWN_PAGE.text(lang)}
                </a>
                {fills_screen}
                <a
                    href=builder
                    target="_blank"
                    rel="noopener"
                    data-do="copy"
                    data-done=COPIED.text(lang)
                >
                    {COPY_CODE.text(lang)}
                </a>
                <a href=link("/") target="_blank" rel="noopener">
                    {ABOUT.text(lang)}
                </a>
            </div>
        </nav>
    }
}
