//! Texts of the page about the data. Some are Markdown, for code and links.

use kit::words;

words! {
    START_PAGE: "Start page", "Página inicial", "Página de inicio", "Page d’accueil", "Startseite", "الصفحة الرئيسية";
    ABOUT:
        "All approved reports: type, city, region and country, number of people, day of the event and time of the report. No names, no contacts, and no position more precise than the city.",
        "Todos os relatos aprovados: tipo, cidade, região e país, número de pessoas, dia do evento e hora do relato. Sem nomes, sem contatos e sem posição mais precisa que a cidade.",
        "Todos los informes aprobados: tipo, ciudad, región y país, número de personas, día del suceso y hora del informe. Sin nombres, sin contactos y sin posición más precisa que la ciudad.",
        "Tous les signalements approuvés : type, ville, région et pays, nombre de personnes, jour de l’événement et heure du signalement. Aucun nom, aucun contact, aucune position plus précise que la ville.",
        "Alle freigegebenen Berichte: Art, Stadt, Region und Land, Zahl der Personen, Tag des Ereignisses und Zeit des Berichts. Keine Namen, keine Kontaktdaten und keine Position, die genauer ist als die Stadt.",
        "كل البلاغات المعتمدة: النوع والمدينة والمنطقة والبلد وعدد الأشخاص ويوم الحدث ووقت البلاغ. بلا أسماء ولا بيانات اتصال، ولا موقع أدق من المدينة.";
    DOWNLOADS: "Downloads", "Downloads", "Descargas", "Téléchargements", "Downloads", "التنزيلات";
    /// Beside the number of reports.
    EACH_FILE:
        "Each file has all of them, and is always up to date. The filters of the API narrow it: [the documentation](/docs/data) shows how.",
        "Cada arquivo contém todos eles e está sempre atualizado. Os filtros da API o restringem: [a documentação](/docs/data) mostra como.",
        "Cada archivo los contiene todos y está siempre al día. Los filtros de la API lo acotan: [la documentación](/docs/data) muestra cómo.",
        "Chaque fichier les contient tous et est toujours à jour. Les filtres de l’API le restreignent : [la documentation](/docs/data) montre comment.",
        "Jede Datei enthält alle und ist immer aktuell. Die Filter der API schränken sie ein: [Die Dokumentation](/docs/data) zeigt, wie.",
        "يحتوي كل ملف عليها جميعًا، وهو محدّث دائمًا. ويمكن تضييقه بمرشحات الواجهة البرمجية: [التوثيق](/docs/data) يشرح ذلك.";
    FOR_SPREADSHEETS:
        "for spreadsheets", "para planilhas", "para hojas de cálculo", "pour les tableurs", "für Tabellenkalkulationen", "لجداول البيانات";
    FOR_MAPS: "for maps", "para mapas", "para mapas", "pour les cartes", "für Karten", "للخرائط";
    FOR_PROGRAMS: "for programs", "para programas", "para programas", "pour les programmes", "für Programme", "للبرامج";
    /// For programs that show feeds.
    FEED_READERS:
        "for feed readers", "para leitores de feeds", "para lectores de canales", "pour les lecteurs de flux", "für Feedreader", "لقارئات الخلاصات";
    API: "API", "API", "API", "API", "API", "الواجهة البرمجية";
    FEEDS: "Feeds", "Feeds", "Canales", "Flux", "Feeds", "الخلاصات";
    THE_NEWEST:
        "The fifty newest reports, for feed readers. They take the same filters.",
        "Os cinquenta relatos mais recentes, para leitores de feeds. Aceitam os mesmos filtros.",
        "Los cincuenta informes más recientes, para lectores de canales. Aceptan los mismos filtros.",
        "Les cinquante signalements les plus récents, pour les lecteurs de flux. Ils acceptent les mêmes filtres.",
        "Die fünfzig neuesten Berichte, für Feedreader. Die Filter sind dieselben.",
        "أحدث خمسين بلاغًا، لقارئات الخلاصات. وتقبل المرشحات نفسها.";
    ALSO_AS_AN_API:
        "The same data, as you need it: the [documentation](/docs) explains everything, and lists [what has changed](/docs/data#changes).",
        "Os mesmos dados, do jeito que você precisa: a [documentação](/docs) explica tudo e lista [o que mudou](/docs/data#changes).",
        "Los mismos datos, como los necesites: la [documentación](/docs) lo explica todo y enumera [lo que ha cambiado](/docs/data#changes).",
        "Les mêmes données, selon vos besoins : la [documentation](/docs) explique tout et énumère [ce qui a changé](/docs/data#changes).",
        "Dieselben Daten, wie Sie sie brauchen: Die [Dokumentation](/docs) erklärt alles und führt auf, [was sich geändert hat](/docs/data#changes).",
        "البيانات نفسها كما تحتاجها: [التوثيق](/docs) يشرح كل شيء ويعرض [ما تغيّر](/docs/data#changes).";
    COUNTERS: "counters", "contadores", "contadores", "compteurs", "Zähler", "العدّادات";
    BY_PLACE:
        "counters by country", "contadores por país", "contadores por país", "compteurs par pays", "Zähler nach Land", "العدّادات حسب البلد";
    REPORTS_BY_PAGE:
        "reports, page by page", "relatos, página a página", "informes, página a página", "signalements, page par page", "Berichte, seitenweise", "البلاغات صفحة بصفحة";
    DESCRIPTION:
        "description for programs", "descrição para programas", "descripción para programas", "description pour les programmes", "Beschreibung für Programme", "وصف للبرامج";
    NOT_STATED:
        "Not stated: ask the operator before you republish the data.",
        "Não informada: pergunte ao operador antes de republicar os dados.",
        "No indicada: pregunta al operador antes de volver a publicar los datos.",
        "Non précisée : demandez à l’exploitant avant de republier les données.",
        "Nicht angegeben: Fragen Sie den Betreiber, bevor Sie die Daten weiterveröffentlichen.",
        "غير محددة: اسأل الجهة المشغّلة قبل إعادة نشر البيانات.";
    CITATION: "Citation", "Citação", "Cita", "Citation", "Zitierweise", "الاقتباس";
}
