//! Texts about saved lists.

use kit::words;

words! {
    LENGTH_OF_NAME:
        "The name of a view has 1 to {n} characters.",
        "O nome de uma visão tem de 1 a {n} caracteres.",
        "El nombre de una vista tiene de 1 a {n} caracteres.",
        "Le nom d’une vue a de 1 à {n} caractères.",
        "Der Name einer Ansicht hat 1 bis {n} Zeichen.",
        "يتكون اسم طريقة العرض من 1 إلى {n} حرفًا.";
    TOO_MANY:
        "You have {n} views already: remove one first.",
        "Já há {n} visões: remova uma primeiro.",
        "Ya hay {n} vistas: quite una primero.",
        "Il y a déjà {n} vues\u{202f}: supprimez-en une d’abord.",
        "Es gibt schon {n} Ansichten: bitte zuerst eine entfernen.",
        "لديك {n} من طرق العرض بالفعل: أزل واحدة أولًا.";
}
