/** Rules of custom resources that could cost too much are refused by our API server where a real one refuses them. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Answer, ask, type Endpoint, startKube } from '../kube/kube-server.ts';
import { temporaryDirectory } from '../platform.ts';
import { endpointOfReal, realMissing, startRealKube } from './real-kube.ts';

const text = { type: 'string' };
const short = { type: 'string', maxLength: 10 };
const list = (items: object, maxItems?: number) => ({ type: 'array', items, ...(maxItems ? { maxItems } : {}) });
const named = { type: 'object', required: ['name'], properties: { name: text, age: { type: 'integer' } } };

/** Fields that rules are about. */
const FIELDS = {
  text,
  short,
  choice: { type: 'string', enum: ['one', 'three'] },
  number: { type: 'integer' },
  texts: list(text),
  shorts: list(short, 20),
  people: list(named),
  few: list(named, 50),
  lists: list(list(short)),
  map: { type: 'object', additionalProperties: text },
  small: { type: 'object', additionalProperties: short, maxProperties: 5 },
  either: { 'x-kubernetes-int-or-string': true },
  time: { type: 'string', format: 'date-time' },
  data: { type: 'string', format: 'byte' },
};

const RULES = [
  'self.number > 1',
  'self.text == "a"',
  'self.text == self.text + "b"',
  'self.text.matches("^a.*b.*c.*d.*e.*f$")',
  'self.short.matches("^a.*b$")',
  'self.text.contains(self.text)',
  'self.text.contains(self.choice)',
  'self.text.startsWith(self.text)',
  'self.text.split(",").all(x, x == self.text)',
  'self.text.split(",").size() < 9',
  'self.text.replace("a", "bcd").contains(self.short)',
  'self.text.lowerAscii().contains("abcdefghijk")',
  'self.shorts.all(x, x.contains(self.short))',
  'self.texts.all(x, x.size() > 1)',
  'self.texts.all(x, x == "a")',
  'self.texts.all(x, self.texts.all(y, x == y))',
  'self.texts.exists(x, x.startsWith("a"))',
  'self.texts.exists_one(x, x == "a")',
  'self.shorts.all(x, self.shorts.exists_one(y, x == y))',
  'self.shorts.map(x, x + "a").all(y, y != "b")',
  'self.texts.map(x, x.size()).sum() < 5',
  'self.people.filter(x, x.age > 5).map(x, x.name).all(n, n != "")',
  'self.people.all(x, self.people.all(y, x.name != y.name))',
  'self.few.all(x, self.few.all(y, x.name != y.name))',
  'self.few.all(x, x.name.contains(self.text))',
  'self.lists.all(l, l.all(x, x.contains("abc")))',
  'self.map.all(k, k != "a")',
  'self.map.all(k, self.map[k] != "a")',
  'self.map.exists(k, self.map[k].contains(self.text))',
  'self.small.all(k, self.small[k].contains("a"))',
  'self.texts.join(",") != ""',
  'self.texts.isSorted()',
  'self.shorts.isSorted() && self.texts.indexOf("a") < 3',
  '"a" in self.texts',
  'self.text in ["a", "b"]',
  '"a" in self.map',
  'type(self.either) == string ? self.either.matches("^[0-9]+%$") : self.either > 1',
  'self.time > timestamp("2020-01-01T00:00:00Z")',
  'string(self.data).size() > 3',
  'has(self.text) && has(self.people) ? self.people[0].name == self.text : true',
  'self.?short.optMap(s, s.size() > 1).orValue(false)',
  'quantity(self.text).isGreaterThan(quantity("5"))',
  'isQuantity(self.short)',
  'isURL(self.text) && url(self.text).getHost() == "a"',
  'ip(self.text).family() == 4',
  'cidr("10.0.0.0/8").containsIP(self.text)',
  'sets.contains(self.shorts, ["a"])',
  'sets.equivalent(self.texts, self.texts)',
  'self.text.find("a+b+") != ""',
  'self.texts.all(x, x.findAll("a+b+c+d+").size() > 3)',
  '!format.dns1123Label().validate(self.text).hasValue()',
  '"%s".format([self.text]) != ""',
  '{"a": self.text}["a"] == "b"',
  '[self.text, "a"].all(x, x != "b")',
  'self.map.all(k, v, v != k)',
  'self.texts.transformList(i, v, v + "a").size() > 1',
  'dyn(self.text) == dyn(self.text)',
  'self.metadata.name == self.text',
];

test('What rules can cost is estimated as a real kube-apiserver does', { skip: realMissing() }, async (t) => {
  const { path, remove } = temporaryDirectory();
  t.after(remove);
  const real = await startRealKube({ directory: join(path, 'real'), controllers: [] });
  t.after(() => real.stop());
  const ours = await startKube(join(path, 'ours'));
  t.after(() => ours.stop());
  const cases = RULES.flatMap((rule) => [
    { rule, schema: { type: 'object', properties: FIELDS, 'x-kubernetes-validations': [{ rule }] } },
    ...(rule.includes('metadata') ? [] : [20, 2_000, undefined].map((most) => ({ rule, schema: below(rule, most) }))),
  ]);
  for (const { rule, schema } of cases) {
    const [theirs, own] = await Promise.all([endpointOfReal(real), ours].map((side) => defined(side, schema)));
    await t.test(rule, () => assert.deepEqual(said(own), said(theirs)));
  }
});

/** The rule on every item of a list, and its text as the message of another. */
function below(rule: string, maxItems: number | undefined): object {
  const messageExpression = `(${rule}) ? self.choice : self.text`;
  const item = { type: 'object', properties: FIELDS, 'x-kubernetes-validations': [{ rule, messageExpression }] };
  return { type: 'object', properties: { list: list(item, maxItems) } };
}

function defined(side: Endpoint, openAPIV3Schema: object): Promise<Answer> {
  const names = { plural: 'costs', singular: 'cost', kind: 'Cost', listKind: 'CostList' };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
  const body = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'costs.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names, versions },
  };
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All';
  return ask(side, { method: 'POST', path, body });
}

function said(answer: Answer | undefined): unknown {
  const { code, message } = (answer?.body ?? {}) as { code?: number; message?: string };
  return code === undefined ? 'accepted' : { code, message };
}
