//! Words of several widgets.

use kit::words;

words! {
    SPIRIT: "Spirit", "Espírito", "Espíritu", "Esprit", "Geist", "روح";
    WATER: "Water", "Água", "Agua", "Eau", "Wasser", "ماء";
    BOTH: "Both", "Ambos", "Ambos", "Les deux", "Beides", "كلاهما";
    COUNTRY:
        ("country", "countries"),
        ["países", "país", "países", "países", "de países", "países"],
        ["países", "país", "países", "países", "de países", "países"],
        ["pays", "pays", "pays", "pays", "de pays", "pays"],
        ("Land", "Länder"),
        ["دولة", "دولة", "دولتان", "دول", "دولة", "دولة"];
    CITY:
        ("city", "cities"),
        ["cidades", "cidade", "cidades", "cidades", "de cidades", "cidades"],
        ["ciudades", "ciudad", "ciudades", "ciudades", "de ciudades", "ciudades"],
        ["villes", "ville", "villes", "villes", "de villes", "villes"],
        ("Stadt", "Städte"),
        ["مدينة", "مدينة", "مدينتان", "مدن", "مدينة", "مدينة"];
    REPORT:
        ("report", "reports"),
        ["relatos", "relato", "relatos", "relatos", "de relatos", "relatos"],
        ["informes", "informe", "informes", "informes", "de informes", "informes"],
        ["signalements", "signalement", "signalements", "signalements", "de signalements", "signalements"],
        ("Bericht", "Berichte"),
        ["بلاغ", "بلاغ", "بلاغان", "بلاغات", "بلاغًا", "بلاغ"];
    /// As screen readers announce it: "2 new reports".
    NEW_REPORT:
        ("new report", "new reports"),
        ["novos relatos", "novo relato", "novos relatos", "novos relatos", "de novos relatos", "novos relatos"],
        ["informes nuevos", "informe nuevo", "informes nuevos", "informes nuevos", "de informes nuevos", "informes nuevos"],
        ["nouveaux signalements", "nouveau signalement", "nouveaux signalements", "nouveaux signalements", "de nouveaux signalements", "nouveaux signalements"],
        ("neuer Bericht", "neue Berichte"),
        ["بلاغ جديد", "بلاغ جديد", "بلاغان جديدان", "بلاغات جديدة", "بلاغًا جديدًا", "بلاغ جديد"];
    /// Between the two types in the name of the site. The Arabic word is written together with the next one.
    AND: " and ", " e ", " y ", " et ", " und ", " و";
    /// After the name of the site, in titles.
    COUNTED_LIVE:
        ", counted live",
        ", contados ao vivo",
        ", contados en vivo",
        ", comptés en direct",
        ", live gezählt",
        "، عدٌّ مباشر";
    /// Between a city and its country.
    COMMA: ", ", ", ", ", ", ", ", ", ", "، ";
    /// Label of the button that stops and resumes automatic motion.
    PAUSE: "Pause", "Pausar", "Pausar", "Mettre en pause", "Anhalten", "إيقاف مؤقت";
    RESUME: "Resume", "Continuar", "Reanudar", "Reprendre", "Fortsetzen", "استئناف";
    /// Shown if there is no data yet.
    NOTHING_YET:
        "Waiting for the first report",
        "À espera do primeiro relato",
        "A la espera del primer informe",
        "En attente du premier signalement",
        "Warten auf den ersten Bericht",
        "في انتظار البلاغ الأول";
    /// Before the time that standing numbers are from: "as of 14:05 UTC".
    AS_OF: "as of", "às", "datos de", "à", "Stand", "حتى";
    /// Before the date that they are from: "as of 2026-01-05 14:05 UTC".
    AS_OF_DATE: "as of", "em", "al", "au", "Stand", "حتى";
    LIVE: "live", "ao vivo", "en vivo", "en direct", "live", "مباشر";
    RECONNECTING:
        "reconnecting",
        "reconectando",
        "reconectando",
        "reconnexion",
        "verbinde neu",
        "إعادة الاتصال";
    /// Before the first or the last day of a period that is open at its other end.
    SINCE: "since", "desde", "desde", "depuis le", "seit", "منذ";
    UNTIL: "until", "até", "hasta", "jusqu’au", "bis", "حتى";
}
