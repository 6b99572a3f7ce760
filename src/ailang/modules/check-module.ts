import type { CoreFunction, CoreModule, CoreValue, EntryPoint } from '../core/types.js';
import type { Diagnostic } from '../diagnostic.js';
import { reportModuleEffects } from '../effects/declared.js';
import { type Elaboration, elaborate } from '../elaborate/elaborate-expr.js';
import { elaborateFunction, entryPoint } from '../elaborate/elaborate-function.js';
import { elaborateTests } from '../elaborate/elaborate-tests.js';
import type { ExternDeclaration, File, FunctionDeclaration, TypeDeclaration, ValueDeclaration } from '../syntax/ast.js';
import type { Parsed } from '../syntax/parse-file.js';
import type { Source } from '../syntax/source.js';
import { unknownName } from '../syntax/unknown.js';
import type { EqRecords } from '../types/classes.js';
import { TypeReader, TypeVariables } from '../types/convert.js';
import { checkFlows, type FlowItem } from '../types/flow/check-flow.js';
import { expectBool, infer, inferLet } from '../types/infer-expr.js';
import {
  checkFunction,
  checkProperty,
  checkRecursiveUses,
  readSignature,
  type Signature,
  settleNumbers,
  signatureScheme,
} from '../types/infer-function.js';
import { Inference } from '../types/inference.js';
import { Reporter } from '../types/report.js';
import { generalize, monomorphic } from '../types/scheme.js';
import { resolve } from '../types/type.js';
import { TypeBudgetExceeded, Unifier } from '../types/unify.js';
import { bindImports } from './bind-imports.js';
import type { CheckedModule } from './checked-module.js';
import { declareTypes } from './declare-types.js';
import { moduleInterface } from './interface.js';
import { components, namesUsed } from './order.js';
import type { Exports, ModuleScope, TypeEntry, ValueEntry } from './scope.js';
import { soundPart } from './sound-part.js';

export interface ModuleToCheck {
  readonly path: string;
  readonly source: Source;
  readonly file: File;
  readonly scope: ModuleScope;
  /** The file as it was read; what is broken in it is left out. */
  readonly parsed: Pick<Parsed, 'diagnostics' | 'broken' | 'lost'>;
  readonly eqRecords: EqRecords;
  /** Look for arms that are missing or never reached. */
  readonly coverage: boolean;
  /** Keep the type of every node. */
  readonly nodeTypes: boolean;
  /** Make Core of the tests too. */
  readonly tests: boolean;
  readonly whereDefined: (name: string) => string | null;
  readonly isStdModule: (name: string) => boolean;
  readonly exportedBy: (module: string, name: string) => boolean;
  readonly load: (path: string, start: number, reporter: Reporter) => Exports | null;
}

/** All phases after parsing: imports, types, inference, Core. */
export function checkModule(module: ModuleToCheck): CheckedModule {
  const { diagnostics, broken, lost } = module.parsed;
  if (diagnostics.length === 0) return new ModuleChecker(module).run();
  for (const name of [unknownName, ...lost]) module.scope.lost.add(name);
  if (broken.length === 0) return new ModuleChecker(module).run();
  const part = soundPart(module.source, module.file, broken);
  const silent = new Reporter(module.source, () => null);
  const exported = [...part.modules].flatMap((path) => [...(module.load(path, 0, silent)?.values.keys() ?? [])]);
  for (const name of [...part.lost, ...exported]) module.scope.lost.add(name);
  return new ModuleChecker({ ...module, file: part.file }).run();
}

class ModuleChecker {
  readonly #reporter: Reporter;
  readonly #unifier: Unifier;
  readonly #inference: Inference;
  readonly #signatures = new Map<string, Signature>();
  readonly #values = new Map<string, ValueDeclaration>();

  constructor(readonly module: ModuleToCheck) {
    this.#reporter = new Reporter(module.source, module.whereDefined, module.isStdModule, module.exportedBy);
    this.#unifier = new Unifier(module.eqRecords, module.source.text.length);
    const reader = new TypeReader(module.scope, this.#reporter, this.#unifier);
    this.#inference = new Inference(module.scope, this.#unifier, reader, this.#reporter);
    this.#inference.coverage = module.coverage;
    if (module.nodeTypes) this.#inference.facts.nodes = new Map();
  }

  run(): CheckedModule {
    const { file, scope, path, parsed } = this.module;
    const syntaxErrors = parsed.diagnostics;
    const imports = bindImports(file, scope, this.#reporter, (name, start) =>
      this.module.load(name, start, this.#reporter),
    );
    try {
      const types = file.declarations.filter((declaration): declaration is TypeDeclaration => declaration.k === 'type');
      declareTypes(
        { scope, reader: this.#inference.reader, reporter: this.#reporter, eqRecords: this.module.eqRecords },
        types,
      );
      this.#declareValues();
      this.#collisions();
      this.#inferAll();
      if (syntaxErrors.length + this.#reporter.errors.length === 0) this.#followLabels();
    } catch (error) {
      if (error instanceof TypeBudgetExceeded)
        this.#reporter.error(
          'TC008',
          0,
          'the types of this module grow beyond all reason',
          'Annotate the functions with their types.',
        );
      else throw error;
    }
    const referenced = new Set(imports);
    const failed = syntaxErrors.length + this.#reporter.errors.length > 0;
    const core = failed ? null : this.#core({ facts: this.#inference.facts, source: this.module.source, referenced });
    const tests =
      failed || !this.module.tests
        ? []
        : elaborateTests({ facts: this.#inference.facts, source: this.module.source, referenced }, path, file, (type) =>
            this.#inference.reader.read(type, new TypeVariables('flexible', 0)),
          );
    return {
      path,
      tests,
      source: this.module.source,
      file,
      facts: this.#inference.facts,
      scope,
      exports: this.#exports(),
      errors: [...syntaxErrors, ...this.#reporter.errors].sort(byPlace),
      warnings: this.#reporter.warnings,
      core: core === null ? null : { path, ...core, imports: [...referenced].filter((name) => name !== path) },
      entries: failed ? [] : this.#entries(),
      interface: moduleInterface(path, file, scope),
    };
  }

  #declareValues(): void {
    const { file, path } = this.module;
    this.#unifier.level = 1;
    for (const declaration of file.declarations) {
      if (declaration.k !== 'function' && declaration.k !== 'value') {
        if (declaration.k === 'extern') this.#refuseExtern(declaration);
        continue;
      }
      const { text, start } = declaration.name;
      if (this.#signatures.has(text) || this.#values.has(text)) {
        this.#reporter.error(
          'TC002',
          start,
          `\`${text}\` is defined twice`,
          `There is no overloading: give one of them another name, such as \`${text}2\`.`,
        );
        continue;
      }
      if (declaration.k === 'value') {
        this.#values.set(text, declaration);
        continue;
      }
      if (declaration.exported && text.startsWith('_'))
        this.#reporter.error(
          'MOD006',
          start,
          `\`${text}\` is private and cannot be exported`,
          `Write export func ${text.replace(/^_+/, '') || 'name'}, or remove the export.`,
        );
      const signature = readSignature(this.#inference, declaration);
      this.#signatures.set(text, signature);
    }
    for (const [name, signature] of this.#signatures)
      this.#own(name, { k: 'global', module: path, name, scheme: signatureScheme(this.#inference, signature) });
    this.#unifier.level = 0;
    for (const name of this.#values.keys())
      this.#own(name, { k: 'global', module: path, name, scheme: monomorphic(this.#unifier.fresh()) });
  }

  /** A program reaches the world through effects alone, so that a grant covers all it does. */
  #refuseExtern({ name, start }: ExternDeclaration): void {
    this.module.scope.lost.add(name.text);
    this.#reporter.error(
      'EXT001',
      start,
      `no host provides the extern function \`${name.text}\`: programs reach the world through the effects of the standard library alone`,
      'Use the functions of the standard library, or write the function in AILANG.',
    );
  }

  #groups: readonly (readonly string[])[] = [];
  readonly #owned = new Map<string, ValueEntry>();

  #own(name: string, entry: ValueEntry): void {
    this.#owned.set(name, entry);
  }

  /** MOD015: a bare imported name that the module also defines. Own definitions then win. */
  #collisions(): void {
    const { file, scope } = this.module;
    const constructors = new Set(
      file.declarations.flatMap((declaration) =>
        declaration.k === 'type' && declaration.body.k === 'sum'
          ? declaration.body.variants.map((variant) => variant.name.text)
          : [],
      ),
    );
    for (const item of file.imports) {
      for (const { name, alias } of item.items ?? []) {
        const bound = alias ?? name;
        if (!scope.imported.has(bound.text) || !(this.#owned.has(bound.text) || constructors.has(bound.text))) continue;
        this.#reporter.error(
          'MOD015',
          bound.start,
          `\`${bound.text}\` is imported from ${item.path} and also defined in this module`,
          `Remove it from the import, rename it there (${name.text} as other), or rename the definition.`,
        );
      }
    }
    for (const [name, entry] of this.#owned) scope.values.set(name, entry);
  }

  #inferAll(): void {
    const bodies = new Map<string, ReadonlySet<string>>();
    for (const [name, signature] of this.#signatures) bodies.set(name, namesUsed(signature.declaration.body));
    for (const [name, value] of this.#values) bodies.set(name, namesUsed(value.value));
    this.#groups = components([...bodies.keys()], (name) => bodies.get(name) ?? []);
    for (const group of this.#groups) this.#inferGroup(group);
    for (const declaration of this.module.file.declarations) {
      if (declaration.k === 'expression') this.#atTop('code', () => infer(this.#inference, declaration.value));
      if (declaration.k === 'test')
        this.#atTop('test', () => expectBool(this.#inference, declaration.body, 'in a test'));
      if (declaration.k === 'property')
        this.#atTop('test', () => checkProperty(this.#inference, declaration.binders, declaration.body));
    }
  }

  #followLabels(): void {
    const c = this.#inference;
    c.facts.labelled = c.reader.labelled;
    const groups = this.#groups.map((group) =>
      group.flatMap((name): FlowItem[] => {
        const entry = this.#owned.get(name);
        const definition = this.#signatures.get(name) ?? this.#values.get(name);
        return entry === undefined || definition === undefined ? [] : [{ entry, definition }];
      }),
    );
    const loose = this.module.file.declarations.flatMap((one) => (one.k === 'expression' ? [one.value] : []));
    checkFlows(c, groups, loose);
  }

  #inferGroup(group: readonly string[]): void {
    const c = this.#inference;
    this.#unifier.level = 1;
    c.group = new Set(group);
    for (const name of group) {
      const signature = this.#signatures.get(name);
      if (signature !== undefined) checkFunction(c, signature);
    }
    checkRecursiveUses(c);
    this.#unifier.level = 0;
    for (const name of group) {
      const signature = this.#signatures.get(name);
      const entry = this.#owned.get(name);
      if (signature === undefined || signature.complete || entry?.k !== 'global') continue;
      entry.scheme = withRigid(
        generalize(signature.type, this.#unifier),
        signatureScheme(c, { ...signature, complete: true }),
      );
    }
    settleNumbers(c);
    for (const name of group) {
      const value = this.#values.get(name);
      if (value !== undefined) this.#atTop('code', () => this.#inferValue(value));
    }
  }

  #inferValue(value: ValueDeclaration): void {
    const entry = this.#owned.get(value.name.text);
    if (entry?.k !== 'global') return;
    const before = entry.scheme.type;
    const { values } = this.module.scope;
    if (!value.recursive) values.delete(value.name.text);
    const scheme = inferLet(this.#inference, value);
    values.set(value.name.text, entry);
    this.#unifier.unify(before, scheme.variables.length === 0 ? scheme.type : before);
    entry.scheme = scheme;
  }

  /** What stands outside of functions. Only scripts have effects there. */
  #atTop(kind: 'code' | 'test', run: () => unknown): void {
    this.#inference.variables = new TypeVariables('flexible', 0);
    const [, uses] = this.#inference.collectEffects(run);
    if (kind === 'code' && this.module.file.module !== null) reportModuleEffects(this.#inference, uses);
    settleNumbers(this.#inference);
  }

  #exports(): Exports {
    const { file, scope, path } = this.module;
    const values = new Map<string, ValueEntry>();
    const types = new Map<string, TypeEntry>();
    const addValue = (name: string) => {
      const entry = scope.values.get(name);
      if (entry !== undefined) values.set(name, entry);
    };
    for (const declaration of file.declarations) {
      if (declaration.k === 'function' && declaration.exported) addValue(declaration.name.text);
      if (declaration.k !== 'type' || !declaration.exported) continue;
      const entry = scope.types.get(declaration.name.text);
      if (entry !== undefined) types.set(declaration.name.text, entry);
      if (declaration.body.k === 'sum') for (const variant of declaration.body.variants) addValue(variant.name.text);
    }
    return { module: path, values, types, lost: scope.lost };
  }

  #core(c: Elaboration): Pick<CoreModule, 'functions' | 'values'> {
    const functions: CoreFunction[] = [];
    const values: CoreValue[] = [];
    for (const declaration of this.module.file.declarations) {
      if (declaration.k === 'function') functions.push(elaborateFunction(c, declaration));
      if (declaration.k === 'value')
        values.push({ name: declaration.name.text, value: elaborate(c, valueExpr(declaration)) });
      if (declaration.k === 'expression') values.push({ name: null, value: elaborate(c, declaration.value) });
    }
    return { functions, values };
  }

  #entries(): EntryPoint[] {
    const found: EntryPoint[] = [];
    for (const { declaration, type } of this.#signatures.values()) {
      if (declaration.exported) found.push(entryPoint(declaration, type));
    }
    return found;
  }
}

/** Orders the findings of one file. */
export function byPlace({ position: a }: Diagnostic, { position: b }: Diagnostic): number {
  return (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);
}

/** A recursive module-level value sees itself through a local letrec. */
function valueExpr(declaration: ValueDeclaration): FunctionDeclaration['body'] {
  if (!declaration.recursive) return declaration.value;
  const { name, type, value, start, end } = declaration;
  return { k: 'let', recursive: true, name, type, value, body: { k: 'name', name: name.text, start, end }, start, end };
}

/** An unannotated part is generalised, the written variables are quantified as always. */
function withRigid(
  generalized: ReturnType<typeof generalize>,
  all: ReturnType<typeof signatureScheme>,
): ReturnType<typeof generalize> {
  const rigid = all.variables.filter((variable) => variable.rigid !== null && resolve(variable) === variable);
  const rigidEffects = all.effectVariables.filter((variable) => variable.rigid !== null);
  return {
    type: generalized.type,
    variables: [...generalized.variables, ...rigid],
    effectVariables: [...generalized.effectVariables, ...rigidEffects],
  };
}
