/// The text as a message shows it: short, and with nothing that upsets a terminal.
pub(super) fn quote(text: &str) -> String {
    const SHOWN: usize = 40;
    let mut short: String = text.chars().take(SHOWN).collect();
    if text.chars().nth(SHOWN).is_some() {
        short.push('…');
    }
    format!("{short:?}")
}
