//! Texts of the home page. Some are Markdown, for code and links.

use kit::words;

words! {
    /// Label of the links at the top.
    SITE: "Site", "Site", "Sitio", "Site", "Website", "الموقع";
    EMBED: "Embed", "Incorporar", "Insertar", "Intégrer", "Einbetten", "التضمين";
    DOCUMENTATION:
        "Documentation", "Documentação", "Documentación", "Documentation", "Dokumentation", "التوثيق";
    LEAD:
        "Every approved report moves these numbers, here and on every page that shows them. They are free to embed: no key, no cookies, nothing to install.",
        "Cada relato aprovado move estes números, aqui e em todas as páginas que os mostram. Incorporá-los é gratuito: sem chave, sem cookies, sem instalar nada.",
        "Cada informe aprobado mueve estos números, aquí y en todas las páginas que los muestran. Insertarlos es gratis: sin clave, sin cookies, sin instalar nada.",
        "Chaque signalement approuvé fait bouger ces chiffres, ici et sur chaque page qui les affiche. Les intégrer est gratuit : sans clé, sans cookies, sans rien installer.",
        "Jeder freigegebene Bericht bewegt diese Zahlen, hier und auf jeder Seite, die sie zeigt. Das Einbetten ist kostenlos: ohne Schlüssel, ohne Cookies, ohne Installation.",
        "كل بلاغ معتمد يحرّك هذه الأرقام، هنا وفي كل صفحة تعرضها. تضمينها مجاني: بلا مفتاح ولا ملفات تعريف ارتباط ولا تثبيت.";
    PUT_IT_ON_YOUR_PAGE:
        "Put it on your page",
        "Coloque na sua página",
        "Ponlo en tu página",
        "Affichez-le sur votre page",
        "Auf Ihre Seite setzen",
        "ضعه في صفحتك";
    AN_IFRAME_IS_ENOUGH:
        "An iframe is all it takes. It fits any width from 160 pixels up, needs no key and sets no cookie.",
        "Basta um iframe. Ele cabe em qualquer largura a partir de 160 pixels, dispensa chave e não grava cookies.",
        "Basta con un iframe. Cabe en cualquier ancho a partir de 160 píxeles, no necesita clave y no guarda cookies.",
        "Un iframe suffit. Il s’adapte à toute largeur à partir de 160 pixels, sans clé et sans cookie.",
        "Ein Iframe genügt. Er passt in jede Breite ab 160 Pixel, braucht keinen Schlüssel und setzt kein Cookie.",
        "يكفي إطار iframe واحد. يناسب أي عرض يبدأ من 160 بكسل، ولا يحتاج إلى مفتاح ولا يحفظ ملفات تعريف ارتباط.";
    WIDGET: "Widget", "Widget", "Widget", "Widget", "Widget", "الأداة";
    SHOW: "Show", "Mostrar", "Mostrar", "Afficher", "Anzeigen", "عرض";
    PICK_THE_ACCENT:
        "Pick the accent",
        "Escolher a cor de destaque",
        "Elegir el color de acento",
        "Choisir la couleur d’accent",
        "Akzentfarbe auswählen",
        "اختيار لون التمييز";
    COLOUR_DIGITS:
        "A colour as three or six hexadecimal digits",
        "Uma cor com três ou seis dígitos hexadecimais",
        "Un color con tres o seis dígitos hexadecimales",
        "Une couleur en trois ou six chiffres hexadécimaux",
        "Eine Farbe aus drei oder sechs Hexadezimalziffern",
        "لون من ثلاثة أرقام ست عشرية أو ستة";
    NONE: "None", "Nenhuma", "Ninguno", "Aucune", "Keine", "بلا";
    ANY: "Any", "Qualquer", "Cualquiera", "Tous", "Beliebig", "الكل";
    NO_SUCH_PLACE:
        "No such place.",
        "Lugar desconhecido.",
        "No existe ese lugar.",
        "Lieu inconnu.",
        "Diesen Ort gibt es nicht.",
        "لا يوجد مكان بهذا الاسم.";
    DID_YOU_MEAN:
        "Did you mean",
        "Você quis dizer",
        "¿Quisiste decir",
        "Vouliez-vous dire",
        "Meinten Sie",
        "هل تقصد";
    /// After the places in the question.
    QUESTION_MARK: "?", "?", "?", " ?", "?", "؟";
    /// Before links to them.
    FILES_AND_FEEDS:
        "The reports of this choice as files and feeds:",
        "Os relatos desta escolha como arquivos e feeds:",
        "Los informes de esta selección como archivos y canales:",
        "Les signalements de ce choix en fichiers et en flux\u{a0}:",
        "Die Berichte dieser Auswahl als Dateien und Feeds:",
        "بلاغات هذا الاختيار في ملفات وخلاصات:";
    PREVIEW: "Preview", "Prévia", "Vista previa", "Aperçu", "Vorschau", "المعاينة";
    /// Width of the preview.
    FULL: "Full", "Total", "Completo", "Entière", "Volle Breite", "كامل";
    AS_AN_IFRAME:
        "As an iframe", "Como iframe", "Como iframe", "En iframe", "Als Iframe", "كإطار iframe";
    AS_A_SCRIPT: "As a script", "Como script", "Como script", "En script", "Als Skript", "كسكربت";
    AS_A_PINNED_SCRIPT:
        "As a pinned script",
        "Como script fixado",
        "Como script fijado",
        "En script figé",
        "Als festes Skript",
        "كسكربت مثبّت";
    THE_SCRIPT_DOES_THE_SAME:
        "The script does the same for each element with `data-svc`, also for those that come to the page later. Where neither is allowed, there is [a picture](/docs/embed#as-a-picture).",
        "O script faz o mesmo para cada elemento com `data-svc`, também para os que chegarem à página depois. Onde nenhum dos dois é permitido, há [uma imagem](/docs/embed#as-a-picture).",
        "El script hace lo mismo con cada elemento con `data-svc`, también con los que lleguen a la página después. Donde no se permite ninguno de los dos, hay [una imagen](/docs/embed#as-a-picture).",
        "Le script fait de même pour chaque élément avec `data-svc`, y compris ceux qui s’ajoutent à la page plus tard. Là où ni l’un ni l’autre n’est permis, il y a [une image](/docs/embed#as-a-picture).",
        "Das Skript tut dasselbe für jedes Element mit `data-svc`, auch für später hinzugefügte. Wo beides nicht erlaubt ist, gibt es [ein Bild](/docs/embed#as-a-picture).",
        "يفعل السكربت الأمر نفسه لكل عنصر فيه `data-svc`، حتى العناصر التي تُضاف إلى الصفحة لاحقًا. وحيث لا يُسمح بأي منهما توجد [صورة](/docs/embed#as-a-picture).";
    A_SCRIPT_THAT_NEVER_CHANGES:
        "As a script that never changes",
        "Como um script que nunca muda",
        "Como un script que nunca cambia",
        "En script qui ne change jamais",
        "Als Skript, das sich nie ändert",
        "كسكربت لا يتغيّر أبدًا";
    FOR_STRICT_PAGES:
        "For pages with strict requirements: the browser refuses any other version. Corrections do not reach the page by themselves, see [the documentation](/docs/embed#versions-of-the-script).",
        "Para páginas com exigências rígidas: o navegador recusa qualquer outra versão. As correções não chegam sozinhas à página, veja [a documentação](/docs/embed#versions-of-the-script).",
        "Para páginas con requisitos estrictos: el navegador rechaza cualquier otra versión. Las correcciones no llegan solas a la página, véase [la documentación](/docs/embed#versions-of-the-script).",
        "Pour les pages aux exigences strictes : le navigateur refuse toute autre version. Les corrections n’arrivent pas d’elles-mêmes, voir [la documentation](/docs/embed#versions-of-the-script).",
        "Für Seiten mit strengen Vorgaben: Der Browser lehnt jede andere Fassung ab. Korrekturen kommen nicht von selbst auf die Seite, siehe [Dokumentation](/docs/embed#versions-of-the-script).",
        "للصفحات ذات المتطلبات الصارمة: يرفض المتصفح أي نسخة أخرى. لا تصل التصحيحات إلى الصفحة تلقائيًا، راجع [التوثيق](/docs/embed#versions-of-the-script).";
    COPY: "Copy", "Copiar", "Copiar", "Copier", "Kopieren", "نسخ";
    COPIED: "Copied", "Copiado", "Copiado", "Copié", "Kopiert", "تم النسخ";
    SELECTED: "Selected", "Selecionado", "Seleccionado", "Sélectionné", "Markiert", "تم التحديد";
    OR_TAKE_THE_NUMBERS:
        "Or take the numbers",
        "Ou use os números",
        "O usa los números",
        "Ou prenez les chiffres",
        "Oder nur die Zahlen",
        "أو خذ الأرقام وحدها";
    THE_SAME_AS_JSON:
        "The same numbers as JSON, readable from any page and any program, without a key. The [documentation](/docs) has all of it, and [lets you try it](/docs/api).",
        "Os mesmos números em JSON, legíveis de qualquer página e de qualquer programa, sem chave. A [documentação](/docs) explica tudo, e [dá para experimentar](/docs/api).",
        "Los mismos números en JSON, legibles desde cualquier página y cualquier programa, sin clave. La [documentación](/docs) lo explica todo y [permite probarlo](/docs/api).",
        "Les mêmes chiffres en JSON, lisibles depuis toute page et tout programme, sans clé. La [documentation](/docs) explique tout et [permet d’essayer](/docs/api).",
        "Dieselben Zahlen als JSON, lesbar von jeder Seite und jedem Programm, ohne Schlüssel. Die [Dokumentation](/docs) erklärt alles, und man kann es dort [ausprobieren](/docs/api).",
        "الأرقام نفسها بصيغة JSON، تُقرأ من أي صفحة وأي برنامج دون مفتاح. في [التوثيق](/docs) كل التفاصيل، ويمكنك [تجربتها](/docs/api).";
    THE_COUNTERS:
        "the counters", "os contadores", "los contadores", "les compteurs", "die Zähler", "العدّادات";
    OVER_TIME:
        "the same over time",
        "os mesmos ao longo do tempo",
        "los mismos a lo largo del tiempo",
        "les mêmes au fil du temps",
        "dieselben im Zeitverlauf",
        "نفسها عبر الزمن";
    THE_LATEST_REPORTS:
        "the latest reports",
        "os últimos relatos",
        "los últimos informes",
        "les derniers signalements",
        "die neuesten Berichte",
        "أحدث البلاغات";
    BOTH_LIVE:
        "both, every five seconds, as server-sent events",
        "ambos, a cada cinco segundos, como server-sent events",
        "ambos, cada cinco segundos, como server-sent events",
        "les deux, toutes les cinq secondes, en server-sent events",
        "beides, alle fünf Sekunden, als Server-Sent Events",
        "كلاهما، كل خمس ثوانٍ، عبر server-sent events";
    ALL_AS_FILES:
        "all reports as files, feeds and licence",
        "todos os relatos em arquivos, feeds e licença",
        "todos los informes en archivos, canales y licencia",
        "tous les signalements en fichiers, flux et licence",
        "alle Berichte als Dateien, Feeds und Lizenz",
        "كل البلاغات في ملفات، والخلاصات والرخصة";
    OPEN_DATA: "Open data", "Dados abertos", "Datos abiertos", "Données ouvertes", "Offene Daten", "البيانات المفتوحة";
    THE_SOURCE: "Source code", "Código-fonte", "Código fuente", "Code source", "Quelltext", "الشفرة المصدرية";
    LICENCE: "Licence", "Licença", "Licencia", "Licence", "Lizenz", "الرخصة";
    CREDITS:
        "Places © [GeoNames](https://www.geonames.org/), CC BY 4.0, modified. Coastlines: [Natural Earth](https://www.naturalearthdata.com/). Names of countries: [Unicode CLDR](https://cldr.unicode.org/).",
        "Lugares © [GeoNames](https://www.geonames.org/), CC BY 4.0, modificados. Litorais: [Natural Earth](https://www.naturalearthdata.com/). Nomes de países: [Unicode CLDR](https://cldr.unicode.org/).",
        "Lugares © [GeoNames](https://www.geonames.org/), CC BY 4.0, modificados. Costas: [Natural Earth](https://www.naturalearthdata.com/). Nombres de países: [Unicode CLDR](https://cldr.unicode.org/).",
        "Lieux © [GeoNames](https://www.geonames.org/), CC BY 4.0, modifiés. Côtes : [Natural Earth](https://www.naturalearthdata.com/). Noms des pays : [Unicode CLDR](https://cldr.unicode.org/).",
        "Orte © [GeoNames](https://www.geonames.org/), CC BY 4.0, verändert. Küsten: [Natural Earth](https://www.naturalearthdata.com/). Ländernamen: [Unicode CLDR](https://cldr.unicode.org/).",
        "الأماكن © [GeoNames](https://www.geonames.org/)، CC BY 4.0، معدّلة. السواحل: [Natural Earth](https://www.naturalearthdata.com/). أسماء الدول: [Unicode CLDR](https://cldr.unicode.org/).";
}
