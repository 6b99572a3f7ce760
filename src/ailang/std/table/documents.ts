import { family } from './family.js';

const xml = family('std/xml', null, [
  ['_xml_parse', 'string -> Result[XmlNode, string]', 'The root element of a well-formed document.'],
  ['_xml_parseLenient', 'string -> Result[XmlNode, string]', 'The root element; what is malformed is mended.'],
  ['_xml_parseWithLimit', '(string, int) -> Result[XmlNode, string]', 'parse for texts of at most so many bytes.'],
  [
    '_xml_parseElements',
    '(string, string, int) -> Result[[XmlNode], string]',
    'The first so many elements of a name (0: all).',
  ],
  [
    '_xml_parseFold',
    '(string, string, a, (a, XmlNode) -> FoldStep[a]) -> Result[a, string]',
    'Folds over the elements of a name while reading; the step may stop it.',
  ],
  ['_xml_findAll', '(XmlNode, string) -> [XmlNode]', 'The node and its descendants with this tag, in document order.'],
  ['_xml_getText', 'XmlNode -> string', 'All text inside, joined.'],
  ['_xml_serialize', 'XmlNode -> string', 'XML text.'],
  ['_xml_escape', 'string -> string', 'With & < > " and apostrophe as references.'],
  ['_xml_sanitize', 'string -> string', 'Without characters XML forbids.'],
]);

const html = family('std/html', null, [
  ['_html_parse', 'string -> Result[XmlNode, string]', 'The html element of a document, with head and body.'],
  ['_html_parseFragment', 'string -> Result[[XmlNode], string]', 'The nodes of a piece of HTML.'],
]);

const yaml = family('std/yaml', null, [
  ['_yaml_decode', 'string -> Result[Json, string]', 'Parses one YAML document.'],
  ['_yaml_encode', 'Json -> Result[string, string]', 'YAML text in block style.'],
]);

const jwt = family('std/jwt', null, [
  ['_jwt_keyFromJwk', 'string -> Result[string, string]', 'The PEM text of an RSA key given as JSON Web Key.'],
]);

const simhash = family('std/simhash', null, [
  ['_simhash_simhash', 'string -> int', '64 bits that differ little between similar texts.'],
  ['_simhash_hammingDistance', '(int, int) -> int', 'How many of 64 bits differ.'],
]);

/** Text formats and fingerprints. */
export const documentBuiltins = [...xml, ...html, ...yaml, ...jwt, ...simhash];
