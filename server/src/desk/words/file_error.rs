//! Reasons why files cannot be read.

use desk::isolates::{code, data, english};
use import::{FileError, HeaderError};
use kit::{
    lang::Lang,
    number::neutral,
    words::{Word, Words},
};

use super::{BETWEEN, note, row_error};

translations! {
    EMPTY:
        "o arquivo está vazio: espera-se um cabeçalho e linhas, ou objetos JSON",
        "el archivo está vacío: se espera un encabezado y filas, u objetos JSON",
        "le fichier est vide : un en-tête et des lignes sont attendus, ou des objets JSON",
        "die Datei ist leer: eine Kopfzeile und Zeilen werden erwartet, oder JSON-Objekte",
        "الملف فارغ: يُتوقع سطر عناوين وصفوف، أو كائنات JSON";
    NO_HEADER:
        "o arquivo não tem cabeçalho",
        "el archivo no tiene encabezado",
        "le fichier n’a pas d’en-tête",
        "die Datei hat keine Kopfzeile",
        "ليس في الملف سطر عناوين";
    BLANKS:
        "a linha {line} começa com 1 MiB de espaços",
        "la línea {line} empieza con 1 MiB de espacios",
        "la ligne {line} commence par 1 Mio d’espaces",
        "Zeile {line} beginnt mit 1 MiB Leerzeichen",
        "يبدأ السطر {line} بمسافات فارغة حجمها {size}";
    LONG_ROW:
        "linha {line}: passa de 1 MiB",
        "línea {line}: la fila supera 1 MiB",
        "ligne {line} : la ligne dépasse 1 Mio",
        "Zeile {line}: länger als 1 MiB",
        "السطر {line}: الصف أطول من {size}";
    LONG_QUOTE:
        "linha {line}: as aspas abertas antes de {before} não são fechadas dentro de 1 MiB",
        "línea {line}: las comillas abiertas antes de {before} no se cierran dentro de 1 MiB",
        "ligne {line} : le guillemet ouvert avant {before} n’est pas fermé dans la limite de 1 Mio",
        "Zeile {line}: das Anführungszeichen vor {before} wird nicht innerhalb von 1 MiB geschlossen",
        "السطر {line}: علامة الاقتباس المفتوحة قبل {before} لا تُغلق ضمن {size}";
    OPEN_QUOTE:
        "linha {line}: as aspas abertas antes de {before} não são fechadas até o fim do arquivo",
        "línea {line}: las comillas abiertas antes de {before} no se cierran hasta el final del archivo",
        "ligne {line} : le guillemet ouvert avant {before} n’est pas fermé jusqu’à la fin du fichier",
        "Zeile {line}: das Anführungszeichen vor {before} wird bis zum Ende der Datei nicht geschlossen",
        "السطر {line}: علامة الاقتباس المفتوحة قبل {before} لا تُغلق حتى نهاية الملف";
    LONG_LINE:
        "linha {line}: passa de 1 MiB; espera-se um objeto JSON por linha",
        "línea {line}: supera 1 MiB; se espera un objeto JSON por línea",
        "ligne {line} : elle dépasse 1 Mio ; un objet JSON par ligne est attendu",
        "Zeile {line}: länger als 1 MiB; ein JSON-Objekt je Zeile wird erwartet",
        "السطر {line}: أطول من {size}؛ يُتوقع كائن JSON واحد في كل سطر";
    LONG_OBJECT:
        "linha {line}: o objeto que começa aqui passa de 1 MiB",
        "línea {line}: el objeto que empieza aquí supera 1 MiB",
        "ligne {line} : l’objet qui commence ici dépasse 1 Mio",
        "Zeile {line}: das Objekt, das hier beginnt, ist länger als 1 MiB",
        "السطر {line}: الكائن الذي يبدأ هنا أطول من {size}";
    CUT_OBJECT:
        "linha {line}: o objeto que começa aqui não termina: o arquivo está cortado?",
        "línea {line}: el objeto que empieza aquí no termina: ¿está cortado el archivo?",
        "ligne {line} : l’objet qui commence ici ne se termine pas : le fichier est-il coupé ?",
        "Zeile {line}: das Objekt, das hier beginnt, endet nicht: ist die Datei abgeschnitten?",
        "السطر {line}: الكائن الذي يبدأ هنا لا ينتهي: هل الملف مقطوع؟";
    CUT_ARRAY:
        "linha {line}: a lista não termina: o arquivo está cortado?",
        "línea {line}: la lista no termina: ¿está cortado el archivo?",
        "ligne {line} : la liste ne se termine pas : le fichier est-il coupé ?",
        "Zeile {line}: die Liste endet nicht: ist die Datei abgeschnitten?",
        "السطر {line}: القائمة لا تنتهي: هل الملف مقطوع؟";
    AFTER_ARRAY:
        "linha {line}: há algo depois do fim da lista",
        "línea {line}: hay algo después del final de la lista",
        "ligne {line} : quelque chose suit la fin de la liste",
        "Zeile {line}: nach dem Ende der Liste folgt noch etwas",
        "السطر {line}: يوجد شيء بعد نهاية القائمة";
    NO_COMMA:
        "linha {line}: falta uma vírgula entre dois objetos",
        "línea {line}: falta una coma entre dos objetos",
        "ligne {line} : il manque une virgule entre deux objets",
        "Zeile {line}: zwischen zwei Objekten fehlt ein Komma",
        "السطر {line}: تنقص فاصلة بين كائنين";
    NO_OBJECT:
        "linha {line}: falta um objeto antes da vírgula",
        "línea {line}: falta un objeto antes de la coma",
        "ligne {line} : il manque un objet avant la virgule",
        "Zeile {line}: vor dem Komma fehlt ein Objekt",
        "السطر {line}: ينقص كائن قبل الفاصلة";
    UTF_32:
        "o arquivo está em UTF-32: é preciso salvá-lo como UTF-8",
        "el archivo está en UTF-32: hay que guardarlo como UTF-8",
        "le fichier est en UTF-32 : il faut l’enregistrer en UTF-8",
        "die Datei ist in UTF-32: als UTF-8 speichern",
        "الملف بترميز UTF-32: يجب حفظه بترميز UTF-8";
    NOT_TEXT:
        "o arquivo não é texto (ou é UTF-16 sem marca de ordem de bytes): é preciso salvá-lo como UTF-8",
        "el archivo no es texto (o es UTF-16 sin marca de orden de bytes): hay que guardarlo como UTF-8",
        "le fichier n’est pas du texte (ou est en UTF-16 sans indicateur d’ordre des octets) : il faut l’enregistrer en UTF-8",
        "die Datei ist kein Text (oder UTF-16 ohne Byte-Reihenfolge-Marke): als UTF-8 speichern",
        "الملف ليس نصًا (أو بترميز UTF-16 دون علامة ترتيب البايتات): يجب حفظه بترميز UTF-8";
    OTHER_ARCHIVE:
        "o arquivo está comprimido com {other}: é preciso descompactá-lo, ou usar {known}",
        "el archivo está comprimido con {other}: hay que descomprimirlo, o usar {known}",
        "le fichier est compressé avec {other} : il faut le décompresser, ou utiliser {known}",
        "die Datei ist mit {other} komprimiert: entpacken, oder {known} verwenden",
        "الملف مضغوط ببرنامج {other}: يجب فك ضغطه، أو استخدام {known}";
    CUT_ARCHIVE:
        "o arquivo comprimido ({archive}) está cortado: é preciso copiá-lo de novo",
        "el archivo comprimido ({archive}) está cortado: hay que copiarlo de nuevo",
        "l’archive {archive} est tronquée : il faut la copier à nouveau",
        "das {archive}-Archiv ist abgeschnitten: noch einmal kopieren",
        "الأرشيف {archive} مقطوع: يجب نسخه من جديد";
    DAMAGED_ARCHIVE:
        "o arquivo comprimido ({archive}) está danificado ({error})",
        "el archivo comprimido ({archive}) está dañado ({error})",
        "l’archive {archive} est endommagée ({error})",
        "das {archive}-Archiv ist beschädigt ({error})",
        "الأرشيف {archive} تالف ({error})";
    LARGE_WINDOW:
        "o arquivo comprimido ({archive}) precisa de mais de {size} de memória: é preciso comprimi-lo sem {option}",
        "el archivo comprimido ({archive}) necesita más de {size} de memoria: hay que comprimirlo sin {option}",
        "l’archive {archive} demande plus de {size} de mémoire : il faut la compresser sans {option}",
        "das {archive}-Archiv braucht mehr als {size} Speicher: ohne {option} komprimieren",
        "يحتاج الأرشيف {archive} إلى ذاكرة أكثر من {size}: يجب ضغطه دون {option}";
    OLD_WORKBOOK:
        "o arquivo é uma pasta de trabalho de formato antigo ({old}) ou tem senha: no Excel, é preciso salvá-lo como {new}, sem senha",
        "el archivo es un libro de formato antiguo ({old}) o tiene contraseña: en Excel, hay que guardarlo como {new}, sin contraseña",
        "le fichier est un classeur d’un ancien format ({old}) ou a un mot de passe : dans Excel, il faut l’enregistrer en {new}, sans mot de passe",
        "die Datei ist eine Arbeitsmappe alten Formats ({old}) oder hat ein Kennwort: in Excel als {new} ohne Kennwort speichern",
        "الملف مصنف بصيغة قديمة ({old}) أو له كلمة مرور: في Excel، يجب حفظه بصيغة {new} دون كلمة مرور";
    PASSWORD:
        "a pasta de trabalho tem senha: é preciso salvá-la sem senha",
        "el libro tiene contraseña: hay que guardarlo sin ella",
        "le classeur a un mot de passe : il faut l’enregistrer sans",
        "die Arbeitsmappe hat ein Kennwort: ohne Kennwort speichern",
        "للمصنف كلمة مرور: يجب حفظه دونها";
    NOT_WORKBOOK:
        "o arquivo é um ZIP, mas não uma pasta de trabalho ({new}): é preciso descompactá-lo",
        "el archivo es un ZIP, pero no un libro ({new}): hay que descomprimirlo",
        "le fichier est un ZIP, mais pas un classeur ({new}) : il faut le décompresser",
        "die Datei ist ein ZIP-Archiv, aber keine Arbeitsmappe ({new}): entpacken",
        "الملف أرشيف ZIP وليس مصنفًا ({new}): يجب فك ضغطه";
    WORKBOOK:
        "a pasta de trabalho não pode ser lida ({error})",
        "el libro no se puede leer ({error})",
        "le classeur est illisible ({error})",
        "die Arbeitsmappe ist nicht lesbar ({error})",
        "لا يمكن قراءة المصنف ({error})";
    NO_SHEET:
        "a pasta de trabalho não tem a planilha {name}",
        "el libro no tiene la hoja {name}",
        "le classeur n’a pas de feuille {name}",
        "die Arbeitsmappe hat kein Blatt {name}",
        "ليس في المصنف ورقة باسم {name}";
    NO_VISIBLE_SHEET:
        "a pasta de trabalho não tem nenhuma planilha visível",
        "el libro no tiene ninguna hoja visible",
        "le classeur n’a aucune feuille visible",
        "die Arbeitsmappe hat kein sichtbares Blatt",
        "ليس في المصنف أي ورقة ظاهرة";
    DAMAGED_SHEET:
        "a planilha está danificada ({error})",
        "la hoja está dañada ({error})",
        "la feuille est endommagée ({error})",
        "das Blatt ist beschädigt ({error})",
        "الورقة تالفة ({error})";
    DAMAGED_WORKBOOK:
        "a pasta de trabalho ou o ZIP está danificado: é preciso copiá-lo de novo",
        "el libro o el ZIP está dañado: hay que copiarlo de nuevo",
        "le classeur ou le ZIP est endommagé : il faut le copier à nouveau",
        "die Arbeitsmappe oder das ZIP-Archiv ist beschädigt: noch einmal kopieren",
        "المصنف أو أرشيف ZIP تالف: يجب نسخه من جديد";
    WRONG_TEXTS:
        "a pasta de trabalho está danificada: o número de textos está errado",
        "el libro está dañado: el número de textos es incorrecto",
        "le classeur est endommagé : le nombre de textes est faux",
        "die Arbeitsmappe ist beschädigt: die Anzahl der Texte stimmt nicht",
        "المصنف تالف: عدد النصوص فيه غير صحيح";
    LARGE_FILE:
        "a pasta de trabalho passa de {size}: é preciso salvar a planilha como «CSV UTF-8»",
        "el libro supera {size}: hay que guardar la hoja como «CSV UTF-8»",
        "le classeur dépasse {size} : il faut enregistrer la feuille en « CSV UTF-8 »",
        "die Arbeitsmappe ist größer als {size}: das Blatt als „CSV UTF-8“ speichern",
        "المصنف أكبر من {size}: يجب حفظ الورقة بالنوع «CSV UTF-8»";
    LARGE_WORKBOOK:
        "a pasta de trabalho é grande demais: é preciso salvar a planilha como «CSV UTF-8»",
        "el libro es demasiado grande: hay que guardar la hoja como «CSV UTF-8»",
        "le classeur est trop grand : il faut enregistrer la feuille en « CSV UTF-8 »",
        "die Arbeitsmappe ist zu groß: das Blatt als „CSV UTF-8“ speichern",
        "المصنف أكبر من اللازم: يجب حفظ الورقة بالنوع «CSV UTF-8»";
    READER_FAILED:
        "o programa que lê o arquivo falhou",
        "ha fallado el programa que lee el archivo",
        "le programme qui lit le fichier a échoué",
        "das Programm, das die Datei liest, ist ausgefallen",
        "تعطل البرنامج الذي يقرأ الملف";
    HEADER_NOT_UTF8:
        "cabeçalho: {reason}",
        "encabezado: {reason}",
        "en-tête : {reason}",
        "Kopfzeile: {reason}",
        "سطر العناوين: {reason}";
    TWICE:
        "o cabeçalho tem a coluna {field} duas vezes",
        "el encabezado tiene la columna {field} dos veces",
        "l’en-tête contient deux fois la colonne {field}",
        "die Kopfzeile enthält die Spalte {field} doppelt",
        "سطر العناوين فيه العمود {field} مرتين";
    LACKS:
        "no cabeçalho falta: {missing}; são necessárias as colunas {required}, e são possíveis {optional}",
        "en el encabezado falta: {missing}; son necesarias las columnas {required}, y son posibles {optional}",
        "il manque dans l’en-tête : {missing} ; les colonnes {required} sont nécessaires, et {optional} sont possibles",
        "in der Kopfzeile fehlt: {missing}; nötig sind die Spalten {required}, möglich sind {optional}",
        "ينقص في سطر العناوين: {missing}؛ الأعمدة {required} ضرورية، والأعمدة {optional} ممكنة";
}

/// Largest size of a row.
const ROW: &str = "1 MiB";

/// Reason why a file cannot be read.
pub(in crate::desk) fn file_error(words: &Words, error: &FileError) -> String {
    if words.lang == Lang::En {
        return error.to_string();
    }
    let text = |word: Word| words.text(word).to_owned();
    let at = |word, line: u64| {
        words.with(word, &[("line", &neutral(line, words.lang)), ("size", &code(ROW))])
    };
    let quote = |word, line: u64, before: &str| {
        let (line, size) = (neutral(line, words.lang), code(ROW));
        words.with(word, &[("line", &line), ("before", &data(before)), ("size", &size)])
    };
    let decoding = |word, error: &str| words.with(word, &[("error", &english(error))]);
    let formats = |word| words.with(word, &[("old", &code(".xls")), ("new", &code(".xlsx"))]);
    match error {
        FileError::Empty => text(EMPTY),
        FileError::NoHeader => text(NO_HEADER),
        FileError::Header(errors) => {
            let errors: Vec<String> = errors.iter().map(|one| header_error(words, one)).collect();
            errors.join(words.text(BETWEEN))
        }
        FileError::Blanks { line } => at(BLANKS, *line),
        FileError::LongRow { line } => at(LONG_ROW, *line),
        FileError::LongQuote { line, before } => quote(LONG_QUOTE, *line, before),
        FileError::OpenQuote { line, before } => quote(OPEN_QUOTE, *line, before),
        FileError::LongLine { line } => at(LONG_LINE, *line),
        FileError::LongObject { line } => at(LONG_OBJECT, *line),
        FileError::CutObject { line } => at(CUT_OBJECT, *line),
        FileError::CutArray { line } => at(CUT_ARRAY, *line),
        FileError::AfterArray { line } => at(AFTER_ARRAY, *line),
        FileError::NoComma { line } => at(NO_COMMA, *line),
        FileError::NoObject { line } => at(NO_OBJECT, *line),
        FileError::Utf32 => text(UTF_32),
        FileError::NotText => text(NOT_TEXT),
        FileError::OtherArchive => {
            let [other, known] = ["bzip2, xz", "gzip, zstd"].map(code);
            words.with(OTHER_ARCHIVE, &[("other", &other), ("known", &known)])
        }
        FileError::CutArchive { archive } => {
            words.with(CUT_ARCHIVE, &[("archive", &code(archive))])
        }
        FileError::DamagedArchive { archive, error } => {
            let (archive, error) = (code(archive), english(error));
            words.with(DAMAGED_ARCHIVE, &[("archive", &archive), ("error", &error)])
        }
        FileError::LargeWindow { mebibytes } => {
            let size = code(&format!("{mebibytes} MiB"));
            let [archive, option] = ["zstd", "--long"].map(code);
            let values = [("archive", &*archive), ("size", &*size), ("option", &*option)];
            words.with(LARGE_WINDOW, &values)
        }
        FileError::OldWorkbook => formats(OLD_WORKBOOK),
        FileError::Password => text(PASSWORD),
        FileError::NotWorkbook => formats(NOT_WORKBOOK),
        FileError::Workbook(error) => decoding(WORKBOOK, error),
        FileError::NoSheet(name) => words.with(NO_SHEET, &[("name", &data(name))]),
        FileError::NoVisibleSheet => text(NO_VISIBLE_SHEET),
        FileError::DamagedSheet(error) => decoding(DAMAGED_SHEET, error),
        FileError::DamagedWorkbook => text(DAMAGED_WORKBOOK),
        FileError::WrongTexts => text(WRONG_TEXTS),
        FileError::LargeFile => words.with(LARGE_FILE, &[("size", &code("128 MiB"))]),
        FileError::LargeWorkbook => text(LARGE_WORKBOOK),
        FileError::ReaderFailed => text(READER_FAILED),
        FileError::Other(text) => english(text),
    }
}

fn header_error(words: &Words, error: &HeaderError) -> String {
    match error {
        HeaderError::NotUtf8(error) => {
            words.with(HEADER_NOT_UTF8, &[("reason", &row_error(words, error))])
        }
        HeaderError::Twice(field) => words.with(TWICE, &[("field", &code(field.as_str()))]),
        HeaderError::Lacks(fields) => {
            let missing = fields.iter().map(|field| field.as_str()).collect::<Vec<_>>().join(", ");
            let [missing, required, optional] = [
                &*missing,
                "type, city, country",
                "id, region, peopleCount, eventDate, createdAt, lat, lng",
            ]
            .map(code);
            let values =
                [("missing", &*missing), ("required", &*required), ("optional", &*optional)];
            words.with(LACKS, &values)
        }
        HeaderError::Note(one) => note(words, one),
    }
}
