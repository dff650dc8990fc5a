import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  cIdentifierProblems,
  configKeyProblems,
  dns1035LabelProblems,
  dnsLabelProblems,
  dnsSubdomainProblems,
  envNameProblems,
  headerNameProblems,
  labelValueProblems,
  pathSegmentProblems,
  percentProblems,
  portNameProblems,
  portNumberProblems,
  qualifiedNameProblems,
  wildcardSubdomainProblems,
} from '#kube/meta/names.ts';

const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

const formats: Record<
  string,
  [check: (value: string) => readonly string[], good: string[], bad: Record<string, string[]>]
> = {
  subdomain: [
    dnsSubdomainProblems,
    ['a', 'a.b-c.1', 'a'.repeat(253)],
    {
      A: [
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
      ['a'.repeat(254)]: ['must be no more than 253 characters'],
    },
  ],
  label: [
    dnsLabelProblems,
    ['a', '1-b', 'a'.repeat(63)],
    { 'A.b': [label], 'a.b': ['must not contain dots'], ['a'.repeat(64)]: ['must be no more than 63 characters'] },
  ],
  'DNS-1035 label': [
    dns1035LabelProblems,
    ['a', 'a-1'],
    {
      '1a': [
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      ],
    },
  ],
  'wildcard host': [
    wildcardSubdomainProblems,
    ['*.example.com'],
    {
      '*.*.com': [
        "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    },
  ],
  'path segment': [
    pathSegmentProblems,
    ['system:node', 'a.b'],
    { '.': ["may not be '.'"], '..': ["may not be '..'"], 'a/b%': ["may not contain '/'", "may not contain '%'"] },
  ],
  'qualified name': [
    qualifiedNameProblems,
    ['a', 'A_b.c', 'example.com/Name'],
    {
      '': [
        'name part must be non-empty',
        "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
      '/a': ['prefix part must be non-empty'],
      [`a/${'b'.repeat(64)}`]: ['name part must be no more than 63 bytes'],
    },
  ],
  'label value': [labelValueProblems, ['', 'a', 'A_b.c'], { ['a'.repeat(64)]: ['must be no more than 63 bytes'] }],
  'config key': [
    configKeyProblems,
    ['a', '.hidden', 'A_b-c'],
    {
      '..': ["must not be '..'"],
      '.': ["must not be '.'"],
      '..a': ["must not start with '..'"],
      'a/b': [
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
      ],
    },
  ],
  'environment name': [
    envNameProblems,
    ['A', 'a b', '1x'],
    {
      '': ['environment variable name must be non-empty'],
      'a=b': ["a valid environment variable name must consist only of printable ASCII characters other than '='"],
    },
  ],
  'header name': [
    headerNameProblems,
    ['X-A'],
    {
      'a b': [
        "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
      ],
    },
  ],
  percentage: [
    percentProblems,
    ['5%', '125%'],
    {
      '5': [
        "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
      ],
    },
  ],
  'C identifier': [
    cIdentifierProblems,
    ['_a1'],
    {
      '1a': [
        "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')",
      ],
    },
  ],
  'port name': [
    portNameProblems,
    ['http', 'a-1'],
    {
      'a--b': ['must not contain consecutive hyphens'],
      '-a': ['must not begin or end with a hyphen'],
      '80': ['must contain at least one letter (a-z)'],
      aB: ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)'],
      abcdefghijklmnop: ['must be no more than 15 characters'],
    },
  ],
};

for (const [format, [check, good, bad]] of Object.entries(formats)) {
  describe(format, () => {
    for (const value of good) it(`allows ${value.slice(0, 20)}`, () => assert.deepEqual(check(value), []));
    for (const [value, problems] of Object.entries(bad)) {
      it(`refuses ${JSON.stringify(value.slice(0, 20))}`, () => assert.deepEqual(check(value), problems));
    }
  });
}

describe('port number', () => {
  it('is between 1 and 65535', () => {
    assert.deepEqual([1, 65_535].flatMap(portNumberProblems), []);
    assert.deepEqual([0, 65_536].flatMap(portNumberProblems), Array(2).fill('must be between 1 and 65535, inclusive'));
  });
});
