import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../ailang/package-root.js';
import { WorldError } from '../errors.js';
import type { JsonObject, Sha256Ref } from '../log/types.js';
import type { ToolchainIdentity } from '../toolchain/types.js';
import type { Tool } from '../tools/types.js';

/** A tool as it runs: the module imported from the very bytes that genesis records. */
export interface LoadedTool {
  readonly tool: Tool;
  /** Ref of `source`. */
  readonly transitionFn: Sha256Ref;
  /** Canonical source bytes. */
  readonly source: Buffer;
}

/**
 * Loads the bundled tools, by id in byte order.
 * @throws WorldError `tools-missing` when the package is not built, `tool-invalid`
 */
export async function loadTools(
  directory: string = join(packageRoot(), 'dist', 'transitions'),
): Promise<ReadonlyMap<string, LoadedTool>> {
  const names = await readdir(directory).catch((cause: unknown) => {
    throw new WorldError('tools-missing', `there are no tools in ${directory}`, { hint: 'Run: npm run build', cause });
  });
  const tools = new Map<string, LoadedTool>();
  for (const name of names.filter((name) => name.endsWith('.js')).sort()) {
    const file = join(directory, name);
    const source = await readFile(file);
    if (!canonicalSource(source).equals(source)) {
      throw new WorldError('tool-invalid', `${file} is not in canonical form, so its ref would not name what runs`);
    }
    // The ref in the URL makes sure that other bytes are another module.
    const transitionFn = `sha256:${createHash('sha256').update(source).digest('hex')}` as Sha256Ref;
    const module: { tool?: Tool } = await import(`${pathToFileURL(file).href}?${transitionFn}`);
    if (module.tool === undefined || `${module.tool.descriptor.id}.js` !== name) {
      throw new WorldError('tool-invalid', `${file} does not export the tool it is named after`);
    }
    tools.set(module.tool.descriptor.id, { tool: module.tool, transitionFn, source });
  }
  return tools;
}

/**
 * Source bytes as they are hashed (world-formats 4): LF, no blanks at line ends, no empty lines at the end, one final LF.
 * @throws WorldError `tool-invalid` for a byte order mark, NUL or bytes that are not UTF-8
 */
export function canonicalSource(bytes: Buffer): Buffer {
  const text = bytes.toString();
  if (!Buffer.from(text).equals(bytes) || text.startsWith('\ufeff') || text.includes('\0')) {
    throw new WorldError('tool-invalid', 'a transition source must be UTF-8 without byte order mark and NUL');
  }
  const lines = text
    .replaceAll(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.replace(/[ \t]+$/, ''));
  const body = lines.join('\n').replace(/\n+$/, '');
  return Buffer.from(body === '' ? '' : `${body}\n`);
}

/** The parts of a genesis or tools act that say which tools and which toolchain run, and the sources as entry files. */
export function toolsAct(
  loaded: ReadonlyMap<string, LoadedTool>,
  identity: ToolchainIdentity,
): {
  readonly toolchain: { readonly name: string; readonly version: string; readonly sha256: Sha256Ref };
  readonly tools: JsonObject;
  readonly files: ReadonlyMap<string, Buffer>;
} {
  const tools: { [id: string]: JsonObject } = {};
  const files = new Map<string, Buffer>();
  for (const [id, { tool, transitionFn, source }] of loaded) {
    const { title, description, inputSchema, outputSchema, access, declaredEffects, annotations } = tool.descriptor;
    tools[id] = {
      id,
      title,
      description,
      transitionFn,
      inputSchema,
      outputSchema,
      access: access.map((triple) => ({ ...triple })),
      declaredEffects: declaredEffects.map((triple) => ({ ...triple })),
      annotations: { ...annotations },
    };
    files.set(`transitions/${id}.js`, source);
  }
  return { toolchain: { name: identity.name, version: identity.version, sha256: identity.ref }, tools, files };
}
