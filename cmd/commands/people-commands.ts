/** People, and what they may do. */
import type { Command } from 'commander';
import { asList, count, duration, onPlatform, withOutput, yes } from '../cli/options.ts';

const WHERE = 'platform, folder/NAME, workspace/NAME, instance/NAME or namespace/INSTANCE/NAME';
const people = () => import('./people.ts');

export function peopleCommands(program: Command): void {
  userCommands(program);
  roleCommands(program);
  workspaceCommands(program);

  asList(onPlatform(program.command('audit')))
    .description('who did what, and who was not let; the newest first')
    .option('--user <name>', 'only by them')
    .option('--action <action>', 'only this, as Apps_CreateDeployment')
    .option('--denied', 'only what was not let')
    .option('--since <duration>', 'only since then, as 24h', duration)
    .action(async (options) => (await people()).audit(options));
}

function userCommands(program: Command): void {
  const user = program.command('user').alias('users').description('people, and programs that have an account');
  asList(onPlatform(user.command('list')))
    .description('list users')
    .action(async (options) => (await people()).listUsers(options));
  withOutput(onPlatform(user.command('get <name>')))
    .description('who somebody is, and what they were given')
    .action(async (name: string, options) => (await people()).getUser(name, options));
  onPlatform(user.command('create <name>'))
    .description('create a user')
    .option('--display-name <text>', 'what people call them')
    .option('--email <address>', 'where they are reached')
    .option('--password-stdin', 'read their password from stdin; without one they come by a link or a provider')
    .option('--link', 'print a link that signs them in once')
    .action(async (name: string, options) => (await people()).createUser(name, options));
  onPlatform(user.command('password <name>'))
    .description("set somebody's password")
    .option('--password-stdin', 'read it from stdin')
    .action(async (name: string, options) => (await people()).setPassword(name, options));
  onPlatform(user.command('disable <name>'))
    .description('let somebody do nothing any more')
    .action(async (name: string, options) => (await people()).enableUser(name, false, options));
  onPlatform(user.command('enable <name>'))
    .description('let them in again')
    .action(async (name: string, options) => (await people()).enableUser(name, true, options));
  yes(onPlatform(user.command('delete <name>')))
    .description('delete a user with all that they were given')
    .action(async (name: string, options) => (await people()).deleteUser(name, options));
}

function roleCommands(program: Command): void {
  const role = program.command('role').alias('roles').description('roles, who has them, and who may do what');
  asList(onPlatform(role.command('list')))
    .description('list roles')
    .action(async (options) => (await people()).listRoles(options));
  const granting = (name: string) =>
    onPlatform(role.command(`${name} <role>`))
      .requiredOption('--to <whom>', 'user/NAME, group/NAME or role/NAME')
      .requiredOption('--in <place>', WHERE);
  granting('grant')
    .description('give a role to somebody somewhere')
    .action(async (name: string, options) => (await people()).grant(name, options));
  granting('revoke')
    .description('take it back')
    .action(async (name: string, options) => (await people()).revoke(name, options));
  asList(onPlatform(role.command('bindings')))
    .description('who was given what, and where')
    .action(async (options) => (await people()).listBindings(options));
  withOutput(onPlatform(role.command('who-can <permission>')))
    .description('everyone who may do something, and why')
    .option('--in <place>', WHERE, 'platform')
    .action(async (permission: string, options) => (await people()).whoCan(permission, options));
  onPlatform(role.command('can <permission>'))
    .description('whether you may do something, and why; ends with 4 if not')
    .option('--user <name>', 'somebody else')
    .option('--in <place>', WHERE, 'platform')
    .action(async (permission: string, options) => (await people()).can(permission, options));
}

function workspaceCommands(program: Command): void {
  const workspace = program
    .command('workspace')
    .alias('workspaces')
    .description('workspaces, and what belongs to them');
  asList(onPlatform(workspace.command('list')))
    .description('list workspaces')
    .action(async (options) => (await people()).listWorkspaces(options));
  onPlatform(workspace.command('create <name>'))
    .description('create a workspace')
    .option('--display-name <text>', 'what people call it')
    .option('--folder <id>', 'the folder it is in; the top when absent', count, 0)
    .action(async (name: string, options) => (await people()).createWorkspace(name, options));
  onPlatform(workspace.command('delete').argument('<workspace>', 'its name or number'))
    .description('delete a workspace that nothing belongs to')
    .action(async (which: string, options) => (await people()).deleteWorkspace(which, options));
  for (const [name, what] of [
    ['bind', 'give an instance or a namespace to a workspace'],
    ['unbind', 'take it out again'],
  ] as const) {
    onPlatform(
      workspace
        .command(name)
        .argument('<workspace>', 'its name or number')
        .argument('<resource>', 'instance/NAME or namespace/INSTANCE/NAME'),
    )
      .description(what)
      .action(async (which: string, resource: string, options) => {
        const { bindResource, unbindResource } = await people();
        await (name === 'bind' ? bindResource : unbindResource)(which, resource, options);
      });
  }
}
