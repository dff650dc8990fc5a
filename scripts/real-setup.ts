/**
 * Builds the real programs that ours are compared with: Kubernetes, etcd and Karmada, pinned, from their Go modules.
 *
 *     npm run real:setup
 *
 * They go into a cache outside the repository, each stamped with its version; what is there already is left alone. About
 * twenty minutes the first time on two cores. Needs Go, and says so where there is none; nothing else in the product or its
 * tests needs it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

export const REAL_HOME = process.env['KAIRSHIP_REAL'] ?? join(homedir(), '.cache', 'kairship', 'real');

const KUBERNETES = 'v1.35.8';
const ETCD = 'v3.5.21';
export const KARMADA = 'v1.18.2';

interface Build {
  readonly module: string;
  readonly version: string;
  readonly packagePath: string;
  /** Where the version goes, so that the program can say it. */
  readonly stamp?: string;
}

/** Every program by the name it gets; Karmada's own commands carry no prefix in its repository. */
const PROGRAMS = {
  etcd: { module: 'go.etcd.io/etcd/server/v3', version: ETCD, packagePath: 'go.etcd.io/etcd/server/v3' },
  'kube-apiserver': kubernetes('kube-apiserver'),
  'kube-controller-manager': kubernetes('kube-controller-manager'),
  'karmada-controller-manager': karmada('controller-manager'),
  'karmada-scheduler': karmada('scheduler'),
  'karmada-webhook': karmada('webhook'),
  'karmada-aggregated-apiserver': karmada('aggregated-apiserver'),
  karmadactl: karmada('karmadactl'),
} as const satisfies Record<string, Build>;

export type RealProgram = keyof typeof PROGRAMS;
export const REAL_PROGRAMS = Object.keys(PROGRAMS) as readonly RealProgram[];

function kubernetes(command: string): Build {
  const version = `k8s.io/component-base/version.gitVersion=${KUBERNETES}`;
  return {
    module: 'k8s.io/kubernetes',
    version: KUBERNETES,
    packagePath: `k8s.io/kubernetes/cmd/${command}`,
    stamp: version,
  };
}

function karmada(command: string): Build {
  const module = 'github.com/karmada-io/karmada';
  return {
    module,
    version: KARMADA,
    packagePath: `${module}/cmd/${command}`,
    stamp: `${module}/pkg/version.gitVersion=${KARMADA}`,
  };
}

/** The path of a real program, or undefined when `npm run real:setup` has not built it in this version. */
export function realPath(name: RealProgram): string | undefined {
  const path = join(REAL_HOME, name);
  return existsSync(path) && stampOf(name) === PROGRAMS[name].version ? path : undefined;
}

function stampOf(name: RealProgram): string | undefined {
  const file = join(REAL_HOME, `${name}.version`);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

function goModule(build: Build): string {
  const lines = ['module real', '', 'go 1.26', '', `require ${build.module} ${build.version}`];
  return `${[...lines, ...stagingReplaces(build)].join('\n')}\n`;
}

/** Kubernetes refers to its own libraries as folders beside it; as modules they carry the same minor version. */
function stagingReplaces({ module, version }: Build): string[] {
  if (module !== 'k8s.io/kubernetes') return [];
  const { stdout } = spawnSync('go', ['mod', 'download', '-json', `${module}@${version}`], { encoding: 'utf8' });
  const { GoMod } = JSON.parse(stdout) as { GoMod: string };
  const staged = readFileSync(GoMod, 'utf8').matchAll(/^\s*(k8s\.io\/\S+) => \.\/staging/gm);
  return ['', ...Array.from(staged, ([, name = '']) => `replace ${name} => ${name} ${version.replace('v1.', 'v0.')}`)];
}

async function build(name: RealProgram): Promise<void> {
  const program: Build = PROGRAMS[name];
  const work = mkdtempSync(join(tmpdir(), 'kairship-real-'));
  try {
    writeFileSync(join(work, 'go.mod'), goModule(program));
    const stamp = program.stamp === undefined ? '' : ` -X ${program.stamp}`;
    const args = [
      'build',
      '-mod=mod',
      '-ldflags',
      `-s -w${stamp}`,
      '-o',
      join(REAL_HOME, `.${name}`),
      program.packagePath,
    ];
    await run('go', args, work);
    renameSync(join(REAL_HOME, `.${name}`), join(REAL_HOME, name));
    writeFileSync(join(REAL_HOME, `${name}.version`), `${program.version}\n`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    let tail = '';
    child.stderr.on('data', (chunk: Buffer) => (tail = (tail + chunk.toString()).slice(-4000)));
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ${args[0] ?? ''} failed:\n${tail}`)),
    );
  });
}

async function main(): Promise<void> {
  if (spawnSync('go', ['version']).status !== 0) {
    console.error(
      'Go is not installed. The real programs are built from source: install Go 1.26 or newer and try again.',
    );
    process.exitCode = 1;
    return;
  }
  mkdirSync(REAL_HOME, { recursive: true });
  for (const name of REAL_PROGRAMS) {
    if (realPath(name)) {
      console.log(`✓ ${name} ${PROGRAMS[name].version}`);
      continue;
    }
    const started = Date.now();
    if (process.stdout.isTTY) process.stdout.write(`… ${name} ${PROGRAMS[name].version}`);
    await build(name);
    console.log(
      `${process.stdout.isTTY ? '\r' : ''}✓ ${name} ${PROGRAMS[name].version} (${Math.round((Date.now() - started) / 1000)} s)`,
    );
  }
  console.log(`The real programs are in ${REAL_HOME}`);
}

if (import.meta.main) await main();
