//! The dictionaries: one constant a language.

use crate::lang::{FORMS, Lang};

/// A counted thing: zero, one, two, few, many, other.
pub(crate) type Noun = [&'static str; FORMS];

/// Everything that widgets say.
pub(crate) struct Dictionary {
    /// The names of the widgets, for titles and for those who hear them.
    pub(crate) metrics: &'static str,
    pub(crate) total: &'static str,
    pub(crate) spirit: &'static str,
    pub(crate) water: &'static str,
    pub(crate) both: &'static str,
    /// After today's number: "+12 today".
    pub(crate) today: &'static str,
    pub(crate) country: Noun,
    pub(crate) city: Noun,
    /// Before the time that standing numbers are from: "as of 14:05 UTC".
    pub(crate) as_of: &'static str,
    pub(crate) live: &'static str,
    pub(crate) reconnecting: &'static str,
}

/// A noun that has one form for one and another for all else.
const fn noun(one: &'static str, other: &'static str) -> Noun {
    [other, one, other, other, other, other]
}

/// The dictionary of a language.
pub(crate) const fn dictionary(lang: Lang) -> &'static Dictionary {
    match lang {
        Lang::En => &EN,
        Lang::Pt => &PT,
        Lang::Es => &ES,
        Lang::Fr => &FR,
        Lang::De => &DE,
        Lang::Ar => &AR,
    }
}

const EN: Dictionary = Dictionary {
    metrics: "Reports so far",
    total: "Total",
    spirit: "Spirit",
    water: "Water",
    both: "Both",
    today: "today",
    country: noun("country", "countries"),
    city: noun("city", "cities"),
    as_of: "as of",
    live: "live",
    reconnecting: "reconnecting",
};

const PT: Dictionary = Dictionary {
    metrics: "Relatos até agora",
    total: "Total",
    spirit: "Espírito",
    water: "Água",
    both: "Ambos",
    today: "hoje",
    country: ["países", "país", "países", "países", "de países", "países"],
    city: ["cidades", "cidade", "cidades", "cidades", "de cidades", "cidades"],
    as_of: "às",
    live: "ao vivo",
    reconnecting: "reconectando",
};

const ES: Dictionary = Dictionary {
    metrics: "Informes hasta ahora",
    total: "Total",
    spirit: "Espíritu",
    water: "Agua",
    both: "Ambos",
    today: "hoy",
    country: ["países", "país", "países", "países", "de países", "países"],
    city: ["ciudades", "ciudad", "ciudades", "ciudades", "de ciudades", "ciudades"],
    as_of: "a las",
    live: "en vivo",
    reconnecting: "reconectando",
};

const FR: Dictionary = Dictionary {
    metrics: "Signalements à ce jour",
    total: "Total",
    spirit: "Esprit",
    water: "Eau",
    both: "Les deux",
    today: "aujourd’hui",
    country: ["pays", "pays", "pays", "pays", "de pays", "pays"],
    city: ["villes", "ville", "villes", "villes", "de villes", "villes"],
    as_of: "à",
    live: "en direct",
    reconnecting: "reconnexion",
};

const DE: Dictionary = Dictionary {
    metrics: "Berichte bisher",
    total: "Gesamt",
    spirit: "Geist",
    water: "Wasser",
    both: "Beides",
    today: "heute",
    country: noun("Land", "Länder"),
    city: noun("Stadt", "Städte"),
    as_of: "Stand",
    live: "live",
    reconnecting: "verbindet neu",
};

const AR: Dictionary = Dictionary {
    metrics: "البلاغات حتى الآن",
    total: "المجموع",
    spirit: "روح",
    water: "ماء",
    both: "كلاهما",
    today: "اليوم",
    country: ["دولة", "دولة", "دولتان", "دول", "دولة", "دولة"],
    city: ["مدينة", "مدينة", "مدينتان", "مدن", "مدينة", "مدينة"],
    as_of: "حتى",
    live: "مباشر",
    reconnecting: "إعادة الاتصال",
};
