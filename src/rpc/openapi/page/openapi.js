// Lists the operations of openapi.json by service, and shows parameters, bodies and answers of each.

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

const api = await (await fetch('openapi.json')).json();
document.title = api.info.title;
document.getElementById('title').textContent = `${api.info.title} ${api.info.version}`;

const schemaOf = (schema) => (schema?.$ref ? api.components.schemas[schema.$ref.split('/').pop()] : schema);

/** A schema as an example of its JSON; what is within itself is cut off. */
function example(schema, within = []) {
  if (schema?.$ref && within.includes(schema.$ref)) return '…';
  const inner = schema?.$ref ? [...within, schema.$ref] : within;
  const found = schemaOf(schema) ?? {};
  if (found.enum) return found.enum.join(' | ');
  if (found.type === 'array') return [example(found.items, inner)];
  if (found.additionalProperties instanceof Object) return { '…': example(found.additionalProperties, inner) };
  if (found.properties) {
    return Object.fromEntries(Object.entries(found.properties).map(([name, one]) => [name, example(one, inner)]));
  }
  return [found.type ?? 'any', found.format].flat().filter(Boolean).join(' ');
}

const shown = (title, schema) => [
  element('h4', { textContent: title }),
  element('pre', { textContent: JSON.stringify(example(schema), null, 2) }),
];

function parameterTable(parameters) {
  const rows = parameters.map(({ name, in: where, schema }) =>
    element(
      'tr',
      {},
      element('td', {}, element('code', { textContent: name })),
      element('td', { textContent: where }),
      element('td', { textContent: [example(schema)].flat().join(' ') }),
      element('td', { className: 'note', textContent: schema.description ?? '' }),
    ),
  );
  return element('table', {}, ...rows);
}

function operationElement({ path, verb, operation }) {
  const body = operation.requestBody?.content['application/json']?.schema;
  const answers = operation.responses['200'].content;
  const details = element(
    'details',
    {},
    element(
      'summary',
      {},
      element('span', { className: 'verb', textContent: verb.toUpperCase() }),
      element('code', { textContent: path }),
      element('div', { className: 'note', textContent: operation.summary ?? '' }),
    ),
  );
  // Made when it is opened: all of them at once would be slow.
  details.addEventListener(
    'toggle',
    () => {
      if (operation.parameters.length > 0) details.append(parameterTable(operation.parameters));
      if (body) details.append(...shown('Body', body));
      for (const [type, { schema }] of Object.entries(answers)) details.append(...shown(`Answer, ${type}`, schema));
    },
    { once: true },
  );
  return details;
}

const operations = Object.entries(api.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([verb, operation]) => ({ path, verb, operation })),
);

function show(filter) {
  const words = filter.toLowerCase().split(/\s+/);
  const matches = ({ path, verb, operation }) => {
    const text = `${verb} ${path} ${operation.operationId} ${operation.summary ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const sections = api.tags.flatMap(({ name, description }) => {
    const own = operations.filter((one) => one.operation.tags.includes(name) && matches(one));
    if (own.length === 0) return [];
    return [
      element('h2', { textContent: name }),
      element('p', { className: 'note', textContent: description ?? '' }),
      ...own.map(operationElement),
    ];
  });
  const none = element('p', { textContent: 'Nothing matches.' });
  document.getElementById('operations').replaceChildren(...(sections.length > 0 ? sections : [none]));
}

document.getElementById('filter').addEventListener('input', ({ target }) => show(target.value));
show('');
