use kit::words;

words! {
    /// Name in the snippet builder.
    LABEL: "Globe", "Globo", "Globo", "Globe", "Globus", "الكرة الأرضية";
    /// Title of the widget.
    TITLE:
        "Reports around the world",
        "Relatos pelo mundo",
        "Informes por el mundo",
        "Signalements dans le monde",
        "Berichte aus aller Welt",
        "البلاغات حول العالم";
    /// Instructions for the globe: with a pointer, and by keyboard.
    DRAG:
        "Drag to turn",
        "Arraste para girar",
        "Arrastra para girar",
        "Faites glisser pour tourner",
        "Zum Drehen ziehen",
        "اسحب للتدوير";
    KEYS:
        "Arrow keys turn the globe, plus and minus zoom, Enter goes from place to place, Escape closes.",
        "As setas giram o globo, mais e menos aproximam e afastam, Enter vai de lugar em lugar, Escape fecha.",
        "Las flechas hacen girar el globo, más y menos acercan y alejan, Intro va de lugar en lugar, Escape cierra.",
        "Les flèches font tourner le globe, plus et moins zooment, Entrée va de lieu en lieu, Échap ferme.",
        "Pfeiltasten drehen den Globus, Plus und Minus zoomen, die Eingabetaste geht von Ort zu Ort, Esc schließt.",
        "مفاتيح الأسهم تدير الكرة، وزائد وناقص للتكبير والتصغير، وEnter للتنقل بين الأماكن، وEscape للإغلاق.";
    /// Of a place of which only the region or the country is found.
    ROUGH:
        "Approximate position",
        "Posição aproximada",
        "Posición aproximada",
        "Position approximative",
        "Ungefähre Lage",
        "موقع تقريبي";
    /// Credit that GeoNames' licence requires: before the name, and after "CC BY 4.0".
    CREDIT: "Places", "Lugares", "Lugares", "Lieux", "Orte", "الأماكن";
    MODIFIED: "modified", "modificados", "modificados", "modifiés", "bearbeitet", "معدّلة";
    /// Label of the list of places.
    LIST:
        "Places with the most reports",
        "Lugares com mais relatos",
        "Lugares con más informes",
        "Lieux avec le plus de signalements",
        "Orte mit den meisten Berichten",
        "الأماكن الأكثر بلاغات";
}
