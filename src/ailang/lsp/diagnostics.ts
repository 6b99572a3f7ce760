import type { Diagnostic as FoundDiagnostic } from 'vscode-languageserver-protocol';
import type { Diagnostic } from '../diagnostic.js';
import { Source } from '../syntax/source.js';
import { tokenRange } from './positions.js';
import type { Analysis, Workspace } from './workspace.js';

const severities = { error: 1, warning: 2 } as const;

/** Findings by the URI of the file they are in; the document itself is always among them. */
export function diagnosticsOf(workspace: Workspace, analysis: Analysis): ReadonlyMap<string, FoundDiagnostic[]> {
  const found = new Map<string, FoundDiagnostic[]>([[analysis.uri, []]]);
  const texts = new Map(analysis.result.sources.map(({ path, text }) => [path, text]));
  const add = (diagnostic: Diagnostic, severity: 1 | 2): void => {
    const { position, code, message, suggestion } = diagnostic;
    const file = position?.file ?? analysis.source.file;
    const uri = workspace.uriFor(analysis, file);
    if (uri === null) return;
    const source = file === analysis.source.file ? analysis.source : new Source(file, texts.get(file) ?? '');
    const entry: FoundDiagnostic = {
      range: tokenRange(source, position?.line ?? 1, position?.column ?? 1),
      severity,
      code,
      source: 'ailang',
      message: suggestion === undefined ? message : `${message}\n${suggestion}`,
    };
    found.set(uri, [...(found.get(uri) ?? []), entry]);
  };
  for (const error of analysis.result.diagnostics) add(error, severities.error);
  for (const warning of analysis.result.warnings) add(warning, severities.warning);
  return found;
}
