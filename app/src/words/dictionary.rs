//! The dictionaries: one constant a language.

use kit::lang::{FORMS, Lang};

/// A counted thing: zero, one, two, few, many, other.
pub(crate) type Noun = [&'static str; FORMS];

/// The forms of a text or noun.
pub(super) trait Forms {
    fn forms(self) -> Vec<String>;
}

impl Forms for &str {
    fn forms(self) -> Vec<String> {
        vec![self.to_owned()]
    }
}

impl Forms for Noun {
    fn forms(self) -> Vec<String> {
        self.map(str::to_owned).into()
    }
}

/// All texts of the widgets.
pub(crate) struct Dictionary {
    /// The names of the widgets, for titles and screen readers.
    pub(crate) metrics: &'static str,
    pub(crate) feed: &'static str,
    pub(crate) globe: &'static str,
    pub(crate) trend: &'static str,
    /// Instructions for the globe: with a pointer, and by keyboard.
    pub(crate) drag: &'static str,
    pub(crate) keys: &'static str,
    /// Of a place of which only the region or the country is found.
    pub(crate) rough: &'static str,
    /// Credit that GeoNames' licence requires: before the name, and after "CC BY 4.0".
    pub(crate) credit: &'static str,
    pub(crate) modified: &'static str,
    pub(crate) total: &'static str,
    pub(crate) spirit: &'static str,
    pub(crate) water: &'static str,
    pub(crate) both: &'static str,
    /// After today's number: "+12 today".
    pub(crate) today: &'static str,
    pub(crate) country: Noun,
    pub(crate) city: Noun,
    pub(crate) person: Noun,
    pub(crate) report: Noun,
    /// As screen readers announce it: "2 new reports".
    pub(crate) new_report: Noun,
    /// Between a city and its country.
    pub(crate) comma: &'static str,
    /// Label of the list of places.
    pub(crate) list: &'static str,
    /// Label of the button that stops and resumes automatic motion.
    pub(crate) pause: &'static str,
    pub(crate) resume: &'static str,
    /// Shown if there is no data yet.
    pub(crate) nothing_yet: &'static str,
    /// Before the time that standing numbers are from: "as of 14:05 UTC".
    pub(crate) as_of: &'static str,
    /// Before the date that they are from: "as of 2026-01-05 14:05 UTC".
    pub(crate) as_of_date: &'static str,
    pub(crate) live: &'static str,
    pub(crate) reconnecting: &'static str,
    /// Before the first or the last day of a period that is open at its other end.
    pub(crate) since: &'static str,
    pub(crate) until: &'static str,
    /// The corner menu, and what is in it.
    pub(crate) more: &'static str,
    pub(crate) own_page: &'static str,
    pub(crate) full_screen: &'static str,
    pub(crate) copy_code: &'static str,
    pub(crate) copied: &'static str,
    pub(crate) about: &'static str,
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
    feed: "Latest reports",
    globe: "Reports around the world",
    trend: "Reports by date",
    drag: "Drag to turn",
    keys: "Arrow keys turn the globe, plus and minus zoom, Enter goes from place to place, Escape closes.",
    rough: "Approximate position",
    credit: "Places",
    modified: "modified",
    total: "Total",
    spirit: "Spirit",
    water: "Water",
    both: "Both",
    today: "today",
    country: noun("country", "countries"),
    city: noun("city", "cities"),
    person: noun("person", "people"),
    report: noun("report", "reports"),
    new_report: noun("new report", "new reports"),
    comma: ", ",
    list: "Places with the most reports",
    pause: "Pause",
    resume: "Resume",
    nothing_yet: "No reports yet. The first one will appear here automatically.",
    as_of: "as of",
    as_of_date: "as of",
    live: "live",
    reconnecting: "reconnecting",
    since: "since",
    until: "until",
    more: "More",
    own_page: "Open in its own page",
    full_screen: "Full screen",
    copy_code: "Copy embed code",
    copied: "Copied",
    about: "About this service",
};

const PT: Dictionary = Dictionary {
    metrics: "Relatos até agora",
    feed: "Últimos relatos",
    globe: "Relatos pelo mundo",
    trend: "Relatos por data",
    drag: "Arraste para girar",
    keys: "As setas giram o globo, mais e menos aproximam e afastam, Enter vai de lugar em lugar, Escape fecha.",
    rough: "Posição aproximada",
    credit: "Lugares",
    modified: "modificados",
    total: "Total",
    spirit: "Espírito",
    water: "Água",
    both: "Ambos",
    today: "hoje",
    country: ["países", "país", "países", "países", "de países", "países"],
    city: ["cidades", "cidade", "cidades", "cidades", "de cidades", "cidades"],
    person: ["pessoas", "pessoa", "pessoas", "pessoas", "de pessoas", "pessoas"],
    report: ["relatos", "relato", "relatos", "relatos", "de relatos", "relatos"],
    new_report: [
        "novos relatos",
        "novo relato",
        "novos relatos",
        "novos relatos",
        "de novos relatos",
        "novos relatos",
    ],
    comma: ", ",
    list: "Lugares com mais relatos",
    pause: "Pausar",
    resume: "Continuar",
    nothing_yet: "Ainda não há relatos. O primeiro aparecerá aqui automaticamente.",
    as_of: "às",
    as_of_date: "em",
    live: "ao vivo",
    reconnecting: "reconectando",
    since: "desde",
    until: "até",
    more: "Mais",
    own_page: "Abrir em página própria",
    full_screen: "Tela cheia",
    copy_code: "Copiar código de incorporação",
    copied: "Copiado",
    about: "Sobre este serviço",
};

const ES: Dictionary = Dictionary {
    metrics: "Informes hasta ahora",
    feed: "Últimos informes",
    globe: "Informes por el mundo",
    trend: "Informes por fecha",
    drag: "Arrastra para girar",
    keys: "Las flechas hacen girar el globo, más y menos acercan y alejan, Intro va de lugar en lugar, Escape cierra.",
    rough: "Posición aproximada",
    credit: "Lugares",
    modified: "modificados",
    total: "Total",
    spirit: "Espíritu",
    water: "Agua",
    both: "Ambos",
    today: "hoy",
    country: ["países", "país", "países", "países", "de países", "países"],
    city: ["ciudades", "ciudad", "ciudades", "ciudades", "de ciudades", "ciudades"],
    person: ["personas", "persona", "personas", "personas", "de personas", "personas"],
    report: ["informes", "informe", "informes", "informes", "de informes", "informes"],
    new_report: [
        "informes nuevos",
        "informe nuevo",
        "informes nuevos",
        "informes nuevos",
        "de informes nuevos",
        "informes nuevos",
    ],
    comma: ", ",
    list: "Lugares con más informes",
    pause: "Pausar",
    resume: "Reanudar",
    nothing_yet: "Todavía no hay informes. El primero aparecerá aquí automáticamente.",
    as_of: "datos de",
    as_of_date: "al",
    live: "en vivo",
    reconnecting: "reconectando",
    since: "desde",
    until: "hasta",
    more: "Más",
    own_page: "Abrir en su propia página",
    full_screen: "Pantalla completa",
    copy_code: "Copiar código para insertar",
    copied: "Copiado",
    about: "Acerca de este servicio",
};

const FR: Dictionary = Dictionary {
    metrics: "Signalements à ce jour",
    feed: "Derniers signalements",
    globe: "Signalements dans le monde",
    trend: "Signalements par date",
    drag: "Faites glisser pour tourner",
    keys: "Les flèches font tourner le globe, plus et moins zooment, Entrée va de lieu en lieu, Échap ferme.",
    rough: "Position approximative",
    credit: "Lieux",
    modified: "modifiés",
    total: "Total",
    spirit: "Esprit",
    water: "Eau",
    both: "Les deux",
    today: "aujourd’hui",
    country: ["pays", "pays", "pays", "pays", "de pays", "pays"],
    city: ["villes", "ville", "villes", "villes", "de villes", "villes"],
    person: ["personnes", "personne", "personnes", "personnes", "de personnes", "personnes"],
    report: [
        "signalements",
        "signalement",
        "signalements",
        "signalements",
        "de signalements",
        "signalements",
    ],
    new_report: [
        "nouveaux signalements",
        "nouveau signalement",
        "nouveaux signalements",
        "nouveaux signalements",
        "de nouveaux signalements",
        "nouveaux signalements",
    ],
    comma: ", ",
    list: "Lieux avec le plus de signalements",
    pause: "Mettre en pause",
    resume: "Reprendre",
    nothing_yet: "Pas encore de signalement. Le premier apparaîtra ici automatiquement.",
    as_of: "à",
    as_of_date: "au",
    live: "en direct",
    reconnecting: "reconnexion",
    since: "depuis le",
    until: "jusqu’au",
    more: "Plus",
    own_page: "Ouvrir dans une page séparée",
    full_screen: "Plein écran",
    copy_code: "Copier le code d’intégration",
    copied: "Copié",
    about: "À propos de ce service",
};

const DE: Dictionary = Dictionary {
    metrics: "Bisherige Berichte",
    feed: "Neueste Berichte",
    globe: "Berichte aus aller Welt",
    trend: "Berichte nach Datum",
    drag: "Zum Drehen ziehen",
    keys: "Pfeiltasten drehen den Globus, Plus und Minus zoomen, die Eingabetaste geht von Ort zu Ort, Esc schließt.",
    rough: "Ungefähre Lage",
    credit: "Orte",
    modified: "bearbeitet",
    total: "Gesamt",
    spirit: "Geist",
    water: "Wasser",
    both: "Beides",
    today: "heute",
    country: noun("Land", "Länder"),
    city: noun("Stadt", "Städte"),
    person: noun("Person", "Personen"),
    report: noun("Bericht", "Berichte"),
    new_report: noun("neuer Bericht", "neue Berichte"),
    comma: ", ",
    list: "Orte mit den meisten Berichten",
    pause: "Anhalten",
    resume: "Fortsetzen",
    nothing_yet: "Noch keine Berichte. Der erste erscheint hier von selbst.",
    as_of: "Stand",
    as_of_date: "Stand",
    live: "live",
    reconnecting: "verbinde neu",
    since: "seit",
    until: "bis",
    more: "Mehr",
    own_page: "Auf eigener Seite öffnen",
    full_screen: "Vollbild",
    copy_code: "Code zum Einbetten kopieren",
    copied: "Kopiert",
    about: "Über diesen Dienst",
};

const AR: Dictionary = Dictionary {
    metrics: "البلاغات حتى الآن",
    feed: "أحدث البلاغات",
    globe: "البلاغات حول العالم",
    trend: "البلاغات حسب التاريخ",
    drag: "اسحب للتدوير",
    keys: "مفاتيح الأسهم تدير الكرة، وزائد وناقص للتكبير والتصغير، وEnter للتنقل بين الأماكن، وEscape للإغلاق.",
    rough: "موقع تقريبي",
    credit: "الأماكن",
    modified: "معدّلة",
    total: "المجموع",
    spirit: "روح",
    water: "ماء",
    both: "كلاهما",
    today: "اليوم",
    country: ["دولة", "دولة", "دولتان", "دول", "دولة", "دولة"],
    city: ["مدينة", "مدينة", "مدينتان", "مدن", "مدينة", "مدينة"],
    person: ["شخص", "شخص", "شخصان", "أشخاص", "شخصًا", "شخص"],
    report: ["بلاغ", "بلاغ", "بلاغان", "بلاغات", "بلاغًا", "بلاغ"],
    new_report: ["بلاغ جديد", "بلاغ جديد", "بلاغان جديدان", "بلاغات جديدة", "بلاغًا جديدًا", "بلاغ جديد"],
    comma: "، ",
    list: "الأماكن الأكثر بلاغات",
    pause: "إيقاف مؤقت",
    resume: "استئناف",
    nothing_yet: "لا توجد بلاغات بعد. سيظهر أولها هنا تلقائيًا.",
    as_of: "حتى",
    as_of_date: "حتى",
    live: "مباشر",
    reconnecting: "إعادة الاتصال",
    since: "منذ",
    until: "حتى",
    more: "المزيد",
    own_page: "فتح في صفحة مستقلة",
    full_screen: "ملء الشاشة",
    copy_code: "نسخ رمز التضمين",
    copied: "تم النسخ",
    about: "عن هذه الخدمة",
};
