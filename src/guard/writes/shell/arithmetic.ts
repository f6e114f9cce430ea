import type { ArithmeticExpression } from 'unbash';

/** The value of an arithmetic expression of numbers and known variables; null for what is not worked out. */
export function arithmeticValue(
  node: ArithmeticExpression,
  textOf: (name: string) => string | null,
): number | null {
  switch (node.type) {
    case 'ArithmeticGroup':
      return arithmeticValue(node.expression, textOf);
    case 'ArithmeticWord': {
      const name = /^\$?\{?([A-Za-z_]\w*)\}?$/.exec(node.value)?.[1];
      const text = name === undefined ? node.value : textOf(name);
      return text !== null && /^-?\d{1,15}$/.test(text)
        ? Number.parseInt(text, /^-?0\d/.test(text) ? 8 : 10)
        : null;
    }
    case 'ArithmeticUnary': {
      const value = arithmeticValue(node.operand, textOf);
      if (value === null) return null;
      return node.operator === '-' ? -value : node.operator === '+' ? value : null;
    }
    case 'ArithmeticBinary': {
      const [left, right] = [arithmeticValue(node.left, textOf), arithmeticValue(node.right, textOf)];
      return left === null || right === null ? null : combined(left, node.operator, right);
    }
    case 'ArithmeticTernary':
    case 'ArithmeticCommandExpansion':
      return null;
  }
}

function combined(left: number, operator: string, right: number): number | null {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0 ? null : Math.trunc(left / right);
    case '%':
      return right === 0 ? null : left % right;
    default:
      return null;
  }
}

/** The variables that an expression sets: `i++`, `x = 1`, `x += 1`. */
export function assignedNames(node: ArithmeticExpression): readonly string[] {
  const nameOf = (one: ArithmeticExpression): string[] => (one.type === 'ArithmeticWord' ? [one.value] : []);
  switch (node.type) {
    case 'ArithmeticGroup':
      return assignedNames(node.expression);
    case 'ArithmeticUnary':
      return /^(?:\+\+|--)$/.test(node.operator) ? nameOf(node.operand) : assignedNames(node.operand);
    case 'ArithmeticBinary': {
      const own = /^(?:[-+*/%&|^]|<<|>>)?=$/.test(node.operator) ? nameOf(node.left) : [];
      return [...own, ...assignedNames(node.left), ...assignedNames(node.right)];
    }
    case 'ArithmeticTernary':
      return [node.test, node.consequent, node.alternate].flatMap(assignedNames);
    case 'ArithmeticWord':
    case 'ArithmeticCommandExpansion':
      return [];
  }
}
