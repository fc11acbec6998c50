//! Notes about files.

use desk::isolates::{code, data};
use import::{Note, Thing};
use kit::{lang::Lang, number::neutral, words::Words};

translations! {
    COLUMN_NOT_USED:
        "a coluna {name} não é usada",
        "la columna {name} no se usa",
        "la colonne {name} n’est pas utilisée",
        "die Spalte {name} wird nicht verwendet",
        "العمود {name} غير مستخدم";
    COLUMN_NOT_USED_BUT:
        "a coluna {name} não é usada (seria {field}?)",
        "la columna {name} no se usa (¿sería {field}?)",
        "la colonne {name} n’est pas utilisée (est-ce {field} ?)",
        "die Spalte {name} wird nicht verwendet (ist {field} gemeint?)",
        "العمود {name} غير مستخدم (هل المقصود {field}؟)";
    KEY_NOT_USED:
        "a chave {name} não é usada",
        "la clave {name} no se usa",
        "la clé {name} n’est pas utilisée",
        "der Schlüssel {name} wird nicht verwendet",
        "المفتاح {name} غير مستخدم";
    KEY_NOT_USED_BUT:
        "a chave {name} não é usada (seria {field}?)",
        "la clave {name} no se usa (¿sería {field}?)",
        "la clé {name} n’est pas utilisée (est-ce {field} ?)",
        "der Schlüssel {name} wird nicht verwendet (ist {field} gemeint?)",
        "المفتاح {name} غير مستخدم (هل المقصود {field}؟)";
    COLUMN_UNNAMED:
        "uma coluna sem nome não é usada",
        "una columna sin nombre no se usa",
        "une colonne sans nom n’est pas utilisée",
        "eine Spalte ohne Namen wird nicht verwendet",
        "عمود بلا اسم غير مستخدم";
    KEY_UNNAMED:
        "uma chave sem nome não é usada",
        "una clave sin nombre no se usa",
        "une clé sans nom n’est pas utilisée",
        "ein Schlüssel ohne Namen wird nicht verwendet",
        "مفتاح بلا اسم غير مستخدم";
    NO_FURTHER_COLUMNS:
        "outras colunas não usadas não são listadas",
        "las demás columnas sin usar no se enumeran",
        "les autres colonnes non utilisées ne sont pas indiquées",
        "weitere nicht verwendete Spalten sind nicht aufgeführt",
        "الأعمدة الأخرى غير المستخدمة ليست مدرجة";
    NO_FURTHER_KEYS:
        "outras chaves não usadas não são listadas",
        "las demás claves sin usar no se enumeran",
        "les autres clés non utilisées ne sont pas indiquées",
        "weitere nicht verwendete Schlüssel sind nicht aufgeführt",
        "المفاتيح الأخرى غير المستخدمة ليست مدرجة";
    SHEET:
        ("a planilha {name} é lida; há mais {n} no arquivo", "a planilha {name} é lida; há mais {n} no arquivo"),
        ("se lee la hoja {name}; el libro tiene {n} más", "se lee la hoja {name}; el libro tiene {n} más"),
        ("la feuille {name} est lue ; le classeur en a {n} autre", "la feuille {name} est lue ; le classeur en a {n} autres"),
        ("das Blatt {name} wird gelesen; die Arbeitsmappe hat {n} weiteres", "das Blatt {name} wird gelesen; die Arbeitsmappe hat {n} weitere"),
        ["تُقرأ الورقة {name}؛ ولا أوراق أخرى في المصنف", "تُقرأ الورقة {name}؛ وفي المصنف ورقة أخرى", "تُقرأ الورقة {name}؛ وفي المصنف ورقتان أخريان", "تُقرأ الورقة {name}؛ وفي المصنف {n} أوراق أخرى", "تُقرأ الورقة {name}؛ وفي المصنف {n} ورقة أخرى", "تُقرأ الورقة {name}؛ وفي المصنف {n} ورقة أخرى"];
    COUNTRIES:
        "países não reconhecidos, com o número de linhas: {names}",
        "países no reconocidos, con el número de filas: {names}",
        "pays non reconnus, avec le nombre de lignes : {names}",
        "nicht erkannte Länder, mit der Anzahl der Zeilen: {names}",
        "دول لم يُتعرَّف عليها، مع عدد الصفوف: {names}";
    COUNTRIES_AND:
        "países não reconhecidos, com o número de linhas: {names} e outros ({further})",
        "países no reconocidos, con el número de filas: {names} y otros ({further})",
        "pays non reconnus, avec le nombre de lignes : {names} et d’autres ({further})",
        "nicht erkannte Länder, mit der Anzahl der Zeilen: {names} und weitere ({further})",
        "دول لم يُتعرَّف عليها، مع عدد الصفوف: {names} وغيرها ({further})";
    COUNTRIES_AND_MORE:
        "países não reconhecidos, com o número de linhas: {names} e outros (mais de {further})",
        "países no reconocidos, con el número de filas: {names} y otros (más de {further})",
        "pays non reconnus, avec le nombre de lignes : {names} et d’autres (plus de {further})",
        "nicht erkannte Länder, mit der Anzahl der Zeilen: {names} und weitere (mehr als {further})",
        "دول لم يُتعرَّف عليها، مع عدد الصفوف: {names} وغيرها (أكثر من {further})";
    SORTING:
        "o arquivo é lido até o fim antes da importação da primeira linha: o histórico é importado na ordem de {field}",
        "el archivo se lee hasta el final antes de importar la primera fila: el historial se importa en el orden de {field}",
        "le fichier est lu jusqu’au bout avant l’importation de la première ligne : l’historique est importé dans l’ordre de {field}",
        "die Datei wird zu Ende gelesen, bevor die erste Zeile importiert wird: Früheres wird in der Reihenfolge von {field} importiert",
        "يُقرأ الملف حتى نهايته قبل استيراد أول صف: يُستورد السجل التاريخي بترتيب {field}";
}

/// Note about a file.
pub(in crate::desk) fn note(words: &Words, note: &Note) -> String {
    let lang = words.lang;
    if lang == Lang::En {
        return note.to_string();
    }
    match note {
        Note::NotUsed { thing, name, suggested } => {
            let word = match (thing, suggested) {
                (Thing::Column, None) => COLUMN_NOT_USED,
                (Thing::Column, Some(_)) => COLUMN_NOT_USED_BUT,
                (Thing::Key, None) => KEY_NOT_USED,
                (Thing::Key, Some(_)) => KEY_NOT_USED_BUT,
            };
            let field = suggested.map(|field| code(field.as_str())).unwrap_or_default();
            words.with(word, &[("name", &data(name)), ("field", &field)])
        }
        Note::Unnamed(Thing::Column) => words.text(COLUMN_UNNAMED).to_owned(),
        Note::Unnamed(Thing::Key) => words.text(KEY_UNNAMED).to_owned(),
        Note::NoFurther(Thing::Column) => words.text(NO_FURTHER_COLUMNS).to_owned(),
        Note::NoFurther(Thing::Key) => words.text(NO_FURTHER_KEYS).to_owned(),
        Note::Sheet { name, others } => {
            let others = *others as u64;
            let values = [("name", &*data(name)), ("n", &*neutral(others, lang))];
            kit::words::filled(words.form(SHEET, others), &values)
        }
        Note::Countries { listed, further, has_more } => {
            let name =
                |(name, rows): &(String, u64)| format!("{} ({})", data(name), neutral(*rows, lang));
            let comma = if lang == Lang::Ar { "، " } else { ", " };
            let names = listed.iter().map(name).collect::<Vec<_>>().join(comma);
            let word = match (further, has_more) {
                (0, false) => COUNTRIES,
                (_, false) => COUNTRIES_AND,
                (_, true) => COUNTRIES_AND_MORE,
            };
            let further = neutral(*further as u64, lang);
            words.with(word, &[("names", &names), ("further", &further)])
        }
        Note::Sorting => words.with(SORTING, &[("field", &code("createdAt"))]),
    }
}
