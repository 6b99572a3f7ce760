/** Signatures of text formats and archives (ailang-language 5.14, 5.15 and appendix A), in the form of `signatures`. */
export const documentSignatures: Readonly<Record<string, string>> = {
  'std/xml': `
    parse, parseLenient : (string) -> Result[XmlNode, string]
    parseWithLimit : (string, int) -> Result[XmlNode, string]
    parseElements : (string, string, int) -> Result[[XmlNode], string]
    parseFold : (string, string, a, (a, XmlNode) -> a) -> Result[a, string]
    parseFoldStep : (string, string, a, (a, XmlNode) -> FoldStep[a]) -> Result[a, string]
    findAll : (XmlNode, string) -> [XmlNode]
    findFirst : (XmlNode, string) -> Option[XmlNode]
    findAllTexts : (XmlNode, string) -> [string]
    findAllAttrs : (XmlNode, string, string) -> [string]
    getText, getTag, serialize, serializeWithDecl : (XmlNode) -> string
    getAttr : (XmlNode, string) -> Option[string]
    getAttrMap : (XmlNode) -> Map[string, string]
    getChildren : (XmlNode) -> [XmlNode]
    nodeKind : (XmlNode) -> NodeKind
    mapChildren : (XmlNode, (XmlNode) -> a) -> [a]
    flatMapChildren : (XmlNode, (XmlNode) -> [a]) -> [a]
    foldChildren : (XmlNode, a, (a, XmlNode) -> a) -> a
    foldChildrenStep : (XmlNode, a, (a, XmlNode) -> FoldStep[a]) -> a
    escapeXml, sanitizeXml : (string) -> string
    xmlElement : (string, [{name: string, value: string}], [XmlNode]) -> XmlNode
    xmlText, xmlComment : (string) -> XmlNode`,
  'std/html': `
    parse : (string) -> Result[XmlNode, string]
    parseFragment : (string) -> Result[[XmlNode], string]`,
  'std/yaml': `
    decode : (string) -> Result[Json, string]
    encode : (Json) -> Result[string, string]
    yamlToJson : (string) -> Result[string, string]`,
  'std/zip': `
    listEntries : (string) -> Result[[string], string] !{FS}
    readEntry, readEntryBytes : (string, string) -> Result[string, string] !{FS}
    createArchive : (string, [{content: string, name: string}]) -> Result[(), string] !{FS}
    createArchiveWithBytes : (string, [{data: string, name: string}]) -> Result[(), string] !{FS}
    scanFold : (string, string, string, a, (a, XmlNode) -> a) -> Result[a, string] !{FS}
    scanFoldStep : (string, string, string, a, (a, XmlNode) -> FoldStep[a]) -> Result[a, string] !{FS}`,
  'std/tar': `
    listEntries : (string) -> Result[[{isDir: bool, name: string, size: int}], string] !{FS}
    readEntry, readEntryBytes, readFromGzip, readFromGzipBytes : (string, string) -> Result[string, string] !{FS}
    extractAll : (string, string) -> Result[[string], string] !{FS}`,
  'std/gzip': `
    compress : (string, int) -> Result[string, string]
    decompress : (string) -> Result[string, string]
    decompressFile : (string) -> Result[string, string] !{FS}`,
  'std/deflate': `
    inflate, inflateZlib : (string) -> Result[string, string]
    deflate, deflateZlib : (string, int) -> Result[string, string]`,
  'std/jwt': `
    decodeJWT : (string) -> Result[{header: Json, payload: Json, signature: bytes, signed: string}, string]
    verifyRS256 : (string, string) -> Result[Json, string]
    verifyWithKid : (string, Json) -> Result[Json, string]
    isExpired : (Json, int) -> bool
    checkIssuer, checkAudience : (Json, string) -> bool`,
  'std/embedding': `
    dot, cosine, euclidean_distance : ([float], [float]) -> float
    cosine_encoded : (bytes, bytes) -> float
    magnitude : ([float]) -> float
    normalize : ([float]) -> [float]
    scale : (float, [float]) -> [float]
    add_vectors : ([float], [float]) -> [float]
    axpy : (float, [float], [float]) -> [float]`,
  'std/simhash': `
    simhash : (string) -> int
    hammingDistance : (int, int) -> int`,
};
