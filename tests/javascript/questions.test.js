import assert from 'node:assert/strict';
import test from 'node:test';

import { belief } from '../../dpviz/ui/demo/web/questions.js';
import { filled } from '../../dpviz/ui/demo/web/element.js';

test('without a budget nobody learns anything', () => {
  assert.deepEqual(belief(0.3, 0), { low: 0.3, high: 0.3 });
});

test('the odds move by e to the power of the budget, either way', () => {
  for (const prior of [0.01, 0.5, 0.9]) {
    for (const epsilon of [0.05, 1, 4]) {
      const { low, high } = belief(prior, epsilon);
      const odds = share => share / (1 - share);
      assert.ok(Math.abs(Math.log(odds(high) / odds(prior)) - epsilon) < 1e-9);
      assert.ok(Math.abs(Math.log(odds(prior) / odds(low)) - epsilon) < 1e-9);
    }
  }
});

test('names in a sentence are filled in, and unknown ones stay', () => {
  assert.equal(filled('{one} of {two}', { one: 1 }), '1 of {two}');
});
