//! Reasons for refusing rows.

use desk::isolates::{code, data, english};
use domain::text::{TextError, code_point};
use import::RowError;
use kit::{
    lang::Lang,
    number::neutral,
    words::{Word, Words},
};

translations! {
    EMPTY: "está vazio", "está vacío", "est vide", "ist leer", "فارغ";
    EMPTY_BESIDE:
        "está vazio, embora {field} esteja preenchido",
        "está vacío, aunque {field} tiene un valor",
        "est vide alors que {field} est renseigné",
        "ist leer, obwohl {field} angegeben ist",
        "فارغ مع أن {field} مذكور";
    UNKNOWN_TYPE:
        "{text} não é um destes valores: {types}",
        "{text} no es uno de estos valores: {types}",
        "{text} n’est pas l’une de ces valeurs : {types}",
        "{text} ist keiner dieser Werte: {types}",
        "{text} ليس من هذه القيم: {types}";
    TOO_LONG:
        "é longo demais ({characters} caracteres; o máximo é {max})",
        "es demasiado largo ({characters} caracteres; el máximo es {max})",
        "est trop long ({characters} caractères ; le maximum est {max})",
        "ist zu lang ({characters} Zeichen; höchstens {max})",
        "أطول من اللازم (عدد الأحرف {characters} والحد الأقصى {max})";
    REPLACED:
        "{text} contém um caractere que outro programa não conseguiu ler ({code})",
        "{text} contiene un carácter que otro programa no pudo leer ({code})",
        "{text} contient un caractère qu’un autre programme n’a pas pu lire ({code})",
        "{text} enthält ein Zeichen, das ein anderes Programm nicht lesen konnte ({code})",
        "يحتوي {text} على حرف لم يتمكن برنامج آخر من قراءته ({code})";
    CONTROL:
        "contém um caractere de controle ({code})",
        "contiene un carácter de control ({code})",
        "contient un caractère de contrôle ({code})",
        "enthält ein Steuerzeichen ({code})",
        "يحتوي على حرف تحكم ({code})";
    INVISIBLE:
        "contém um caractere invisível ({code})",
        "contiene un carácter invisible ({code})",
        "contient un caractère invisible ({code})",
        "enthält ein unsichtbares Zeichen ({code})",
        "يحتوي على حرف غير مرئي ({code})";
    TWICE: "aparece duas vezes", "aparece dos veces", "est indiqué deux fois", "ist doppelt angegeben", "مذكور مرتين";
    ROUNDED_NUMBER:
        "é um número que JSON arredonda: é preciso colocá-lo entre aspas",
        "es un número que JSON redondea: debe ir entre comillas",
        "est un nombre que JSON arrondit : il faut le mettre entre guillemets",
        "ist eine Zahl, die JSON rundet: in Anführungszeichen setzen",
        "رقم يقرّبه JSON: يجب وضعه بين علامتي اقتباس";
    NO_TEXT:
        "não é texto nem número",
        "no es un texto ni un número",
        "n’est ni un texte ni un nombre",
        "ist weder Text noch Zahl",
        "ليس نصًا ولا رقمًا";
    NOT_WHOLE_NUMBER:
        "{text} não é um número inteiro de 1 a {max}",
        "{text} no es un número entero de 1 a {max}",
        "{text} n’est pas un nombre entier de 1 à {max}",
        "{text} ist keine ganze Zahl von 1 bis {max}",
        "{text} ليس عددًا صحيحًا من 1 إلى {max}";
    NOT_DEGREES:
        "{text} não é um número de {min} a {max}",
        "{text} no es un número de {min} a {max}",
        "{text} n’est pas un nombre de {min} à {max}",
        "{text} ist keine Zahl von {min} bis {max}",
        "{text} ليس رقمًا من {min} إلى {max}";
    NOT_DATE:
        "{text} não é uma data existente no formato {pattern}",
        "{text} no es una fecha existente en el formato {pattern}",
        "{text} n’est pas une date existante au format {pattern}",
        "{text} ist kein existierendes Datum im Format {pattern}",
        "{text} ليس تاريخًا موجودًا بالصيغة {pattern}";
    NOT_INSTANT:
        "{text} não é uma data com hora em ISO 8601, como {example}",
        "{text} no es una fecha con hora en ISO 8601, como {example}",
        "{text} n’est pas une date avec heure en ISO 8601, comme {example}",
        "{text} ist kein Zeitpunkt nach ISO 8601 wie {example}",
        "{text} ليس تاريخًا ووقتًا وفق ISO 8601، مثل {example}";
    BEFORE_YEAR_ONE:
        "{text} é anterior ao ano 1",
        "{text} es anterior al año 1",
        "{text} est antérieur à l’an 1",
        "{text} liegt vor dem Jahr 1",
        "{text} قبل السنة 1";
    IN_FUTURE:
        "{text} está no futuro: agora é {now} (UTC)",
        "{text} está en el futuro: ahora es {now} (UTC)",
        "{text} est dans le futur : nous sommes le {now} (UTC)",
        "{text} liegt in der Zukunft: jetzt ist {now} (UTC)",
        "{text} في المستقبل: الوقت الآن {now} (UTC)";
    LOOKS_LIKE_WINDOWS_1252:
        "não está em UTF-8: o arquivo parece estar em Windows-1252 (o texto seria {text}); é preciso salvá-lo como UTF-8, no Excel como «CSV UTF-8»",
        "no está en UTF-8: el archivo parece estar en Windows-1252 (el texto sería {text}); hay que guardarlo como UTF-8, en Excel como «CSV UTF-8»",
        "n’est pas en UTF-8 : le fichier semble être en Windows-1252 (le texte serait {text}) ; il faut l’enregistrer en UTF-8, dans Excel « CSV UTF-8 »",
        "ist nicht in UTF-8: Die Datei scheint in Windows-1252 zu sein (der Text wäre {text}); als UTF-8 speichern, in Excel als „CSV UTF-8“",
        "ليس بترميز UTF-8: يبدو أن الملف بترميز Windows-1252 (سيُقرأ النص {text})؛ يجب حفظه بترميز UTF-8، وفي Excel بالنوع «CSV UTF-8»";
    NOT_UTF8:
        "não está em UTF-8 (byte {byte} na posição {at}): é preciso salvar o arquivo como UTF-8",
        "no está en UTF-8 (byte {byte} en la posición {at}): hay que guardar el archivo como UTF-8",
        "n’est pas en UTF-8 (octet {byte} à la position {at}) : il faut enregistrer le fichier en UTF-8",
        "ist nicht in UTF-8 (Byte {byte} an Position {at}): die Datei als UTF-8 speichern",
        "ليس بترميز UTF-8 (البايت {byte} في الموضع {at}): يجب حفظ الملف بترميز UTF-8";
    CONFLICT:
        "já existe um relato com o id {id} e outro valor em {field}",
        "ya existe un informe con el id {id} y otro valor en {field}",
        "un signalement avec l’id {id} existe déjà avec une autre valeur de {field}",
        "ein Bericht mit der ID {id} existiert schon mit anderem Wert in {field}",
        "يوجد بالفعل بلاغ بالمعرّف {id} وبقيمة مختلفة في {field}";
    FIELD_COUNT:
        "tem {fields} campos, e o cabeçalho tem {expected}",
        "tiene {fields} campos, y el encabezado tiene {expected}",
        "a {fields} champs alors que l’en-tête en a {expected}",
        "Anzahl der Felder ist {fields}, in der Kopfzeile {expected}",
        "عدد الحقول {fields}، وفي سطر العناوين {expected}";
    FIELD_COUNT_ON_LINES:
        "tem {fields} campos, e o cabeçalho tem {expected}; ocupa {lines} linhas: faltam aspas de fechamento?",
        "tiene {fields} campos, y el encabezado tiene {expected}; ocupa {lines} líneas: ¿faltan unas comillas de cierre?",
        "a {fields} champs alors que l’en-tête en a {expected}, et s’étend sur {lines} lignes : manque-t-il un guillemet fermant ?",
        "Anzahl der Felder ist {fields}, in der Kopfzeile {expected}, über {lines} Zeilen: fehlt ein schließendes Anführungszeichen?",
        "عدد الحقول {fields}، وفي سطر العناوين {expected}، وعدد الأسطر {lines}: هل تنقص علامة اقتباس ختامية؟";
    TORN_QUOTE:
        "tem texto depois das aspas de fechamento",
        "tiene texto después de las comillas de cierre",
        "a du texte après un guillemet fermant",
        "hat Text nach einem schließenden Anführungszeichen",
        "فيه نص بعد علامة اقتباس ختامية";
    TORN_QUOTE_ON_LINES:
        "tem texto depois das aspas de fechamento e ocupa {lines} linhas: faltam aspas de fechamento?",
        "tiene texto después de las comillas de cierre y ocupa {lines} líneas: ¿faltan unas comillas de cierre?",
        "a du texte après un guillemet fermant et s’étend sur {lines} lignes : manque-t-il un guillemet fermant ?",
        "hat Text nach einem schließenden Anführungszeichen, über {lines} Zeilen: fehlt ein schließendes Anführungszeichen?",
        "فيه نص بعد علامة اقتباس ختامية، وعدد الأسطر {lines}: هل تنقص علامة اقتباس ختامية؟";
    NOT_OBJECT:
        "não é um objeto JSON",
        "no es un objeto JSON",
        "n’est pas un objet JSON",
        "ist kein JSON-Objekt",
        "ليس كائن JSON";
    NOT_JSON:
        "não é JSON válido, na coluna {column}: {message}",
        "no es JSON válido, en la columna {column}: {message}",
        "n’est pas du JSON valide, à la colonne {column} : {message}",
        "ist kein gültiges JSON, in Spalte {column}: {message}",
        "ليس JSON صالحًا، في العمود {column}: {message}";
    NOT_JSON_ON_LINE:
        "não é JSON válido, na linha {line}, coluna {column}: {message}",
        "no es JSON válido, en la línea {line}, columna {column}: {message}",
        "n’est pas du JSON valide, à la ligne {line}, colonne {column} : {message}",
        "ist kein gültiges JSON, in Zeile {line}, Spalte {column}: {message}",
        "ليس JSON صالحًا، في السطر {line} والعمود {column}: {message}";
}

/// Reason for refusing a row.
pub(in crate::desk) fn row_error(words: &Words, error: &RowError) -> String {
    let lang = words.lang;
    if lang == Lang::En {
        return error.to_string();
    }
    let count = |count: u64| neutral(count, lang);
    let on_lines =
        |[one, several]: [Word; 2], lines: Option<u64>, fields: usize, expected: usize| {
            let word = if lines.is_some() { several } else { one };
            let lines = count(lines.unwrap_or_default());
            let [fields, expected] = [fields, expected].map(|fields| count(fields as u64));
            words.with(word, &[("fields", &fields), ("expected", &expected), ("lines", &lines)])
        };
    match error {
        RowError::Empty => words.text(EMPTY).to_owned(),
        RowError::EmptyBeside(field) => {
            words.with(EMPTY_BESIDE, &[("field", &code(field.as_str()))])
        }
        RowError::UnknownType(text) => {
            let types = code("spirit, water, both");
            words.with(UNKNOWN_TYPE, &[("text", &data(text)), ("types", &types)])
        }
        RowError::Text(error) => text_error(words, error),
        RowError::Twice => words.text(TWICE).to_owned(),
        RowError::RoundedNumber => words.text(ROUNDED_NUMBER).to_owned(),
        RowError::NoText => words.text(NO_TEXT).to_owned(),
        RowError::NotWholeNumber(text) => {
            let max = count(1_000_000);
            words.with(NOT_WHOLE_NUMBER, &[("text", &data(text)), ("max", &max)])
        }
        RowError::NotDegrees { text, most } => {
            let [min, max] = [format!("-{most}"), most.to_string()].map(|degrees| code(&degrees));
            words.with(NOT_DEGREES, &[("text", &data(text)), ("min", &min), ("max", &max)])
        }
        RowError::NotDate { text, order } => {
            let pattern = code(order.pattern());
            words.with(NOT_DATE, &[("text", &data(text)), ("pattern", &pattern)])
        }
        RowError::NotInstant(text) => {
            let example = code("2024-05-31T18:00:00Z");
            words.with(NOT_INSTANT, &[("text", &data(text)), ("example", &example)])
        }
        RowError::BeforeYearOne(text) => words.with(BEFORE_YEAR_ONE, &[("text", &data(text))]),
        RowError::FutureDate { date: text, today: now } | RowError::FutureInstant { text, now } => {
            words.with(IN_FUTURE, &[("text", &data(text)), ("now", &code(now))])
        }
        RowError::LooksLikeWindows1252(text) => {
            words.with(LOOKS_LIKE_WINDOWS_1252, &[("text", &data(text))])
        }
        RowError::NotUtf8 { byte, at } => {
            let byte = code(&format!("0x{byte:02X}"));
            words.with(NOT_UTF8, &[("byte", &byte), ("at", &count(*at as u64))])
        }
        RowError::Conflict { id, field } => {
            words.with(CONFLICT, &[("id", &data(id)), ("field", &code(field))])
        }
        RowError::FieldCount { fields, expected, lines } => {
            on_lines([FIELD_COUNT, FIELD_COUNT_ON_LINES], *lines, *fields, *expected)
        }
        RowError::TornQuote { lines } => on_lines([TORN_QUOTE, TORN_QUOTE_ON_LINES], *lines, 0, 0),
        RowError::NotObject => words.text(NOT_OBJECT).to_owned(),
        RowError::NotJson { message, line, column } => {
            let word = if line.is_some() { NOT_JSON_ON_LINE } else { NOT_JSON };
            let line = count(line.unwrap_or_default());
            let (column, message) = (count(*column as u64), english(message));
            words.with(word, &[("line", &line), ("column", &column), ("message", &message)])
        }
        RowError::Other(text) => english(text),
    }
}

fn text_error(words: &Words, error: &TextError) -> String {
    let of_character = |word, char| words.with(word, &[("code", &code(&code_point(char)))]);
    match error {
        TextError::Empty => words.text(EMPTY).to_owned(),
        TextError::TooLong { characters, max } => {
            let [characters, max] =
                [characters, max].map(|characters| neutral(*characters as u64, words.lang));
            words.with(TOO_LONG, &[("characters", &characters), ("max", &max)])
        }
        TextError::Replaced(text) => {
            let code = code(&code_point(char::REPLACEMENT_CHARACTER));
            words.with(REPLACED, &[("text", &data(text)), ("code", &code)])
        }
        TextError::Control(char) => of_character(CONTROL, *char),
        TextError::Invisible(char) => of_character(INVISIBLE, *char),
    }
}
