//! Labels of the options and of their values, in the snippet builder.

use kit::words;

words! {
    THEME: "Theme", "Tema", "Tema", "Thème", "Farbschema", "المظهر";
    BACKGROUND: "Background", "Fundo", "Fondo", "Fond", "Hintergrund", "الخلفية";
    ACCENT: "Accent", "Cor de destaque", "Color de acento", "Couleur d’accent", "Akzentfarbe", "لون التمييز";
    LANGUAGE: "Language", "Idioma", "Idioma", "Langue", "Sprache", "اللغة";
    COUNTRY_NAME: "Country", "País", "País", "Pays", "Land", "الدولة";
    REGION_NAME: "Region", "Região", "Región", "Région", "Region", "المنطقة";
    CITY_NAME: "City", "Cidade", "Ciudad", "Ville", "Stadt", "المدينة";
    FROM: "From", "De", "Desde", "Du", "Von", "من";
    TO: "To", "Até", "Hasta", "Au", "Bis", "إلى";
    TYPES: "Types", "Tipos", "Tipos", "Types", "Arten", "الأنواع";
    ROWS: "Rows", "Linhas", "Filas", "Lignes", "Zeilen", "الصفوف";
    TIMES: "Times", "Datas", "Fechas", "Dates", "Zeiten", "التواريخ";
    HEADING: "Title", "Título", "Título", "Titre", "Titel", "العنوان";
    START:
        "Start at latitude, longitude",
        "Começar em latitude, longitude",
        "Empezar en latitud, longitud",
        "Départ : latitude, longitude",
        "Start bei Breite, Länge",
        "البداية عند خط العرض، خط الطول";
    ROTATION: "Rotation", "Rotação", "Rotación", "Rotation", "Drehung", "الدوران";
    LABELS: "Labels", "Nomes", "Nombres", "Noms", "Namen", "الأسماء";
    CLUSTERING: "Clustering", "Agrupamento", "Agrupación", "Regroupement", "Bündelung", "التجميع";

    AUTOMATIC: "Automatic", "Automático", "Automático", "Automatique", "Automatisch", "تلقائي";
    LIGHT: "Light", "Claro", "Claro", "Clair", "Hell", "فاتح";
    DARK: "Dark", "Escuro", "Oscuro", "Sombre", "Dunkel", "داكن";
    SOLID: "Solid", "Sólido", "Sólido", "Uni", "Deckend", "مصمتة";
    TRANSPARENT: "Transparent", "Transparente", "Transparente", "Transparent", "Durchsichtig", "شفافة";
    THE_VISITORS:
        "The visitor’s",
        "A do visitante",
        "La del visitante",
        "Celle du visiteur",
        "Die des Besuchers",
        "لغة الزائر";
    WHEN_REPORTED:
        "When it was reported",
        "Quando foi relatado",
        "Cuando se informó",
        "Date du signalement",
        "Zeit der Meldung",
        "وقت البلاغ";
    DAY_OF_EVENT:
        "Day of the event",
        "Dia do evento",
        "Día del suceso",
        "Jour de l’événement",
        "Tag des Ereignisses",
        "يوم الحدث";
    OFF: "Off", "Não", "No", "Non", "Aus", "إيقاف";
    ON: "On", "Sim", "Sí", "Oui", "An", "تشغيل";
}
