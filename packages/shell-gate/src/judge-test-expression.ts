import type { TestExpression, Word } from "unbash";
import { isKnown } from "./words/argument.ts";
import type { WordEvaluator } from "./words/evaluate-word.ts";
import type { PathJudge } from "./paths/judge-path.ts";
import type { Judgement } from "./judgement.ts";
import type { Scope } from "./scope.ts";

const PLAIN_UNARY = /^-[nzt]$/;
const FILE_UNARY = /^-[abcdefghkprsuwxGLNOS]$/;
const PLAIN_BINARY = /^(?:=|==|!=|=~|<|>)$/;
const CALCULATES = /^-(?:eq|ne|lt|le|gt|ge)$/;
const COMPARES_FILES = /^-(?:nt|ot|ef)$/;

/** Judges `[[ … ]]`, where numbers are calculated and so may run commands. */
export function judgeTestExpression(
  deps: { readonly judgement: Judgement; readonly words: WordEvaluator; readonly paths: PathJudge },
  expression: TestExpression,
  scope: Scope,
): void {
  const { judgement, words, paths } = deps;
  const look = (word: Word): void =>
    void paths.use("[[", words.single(word, scope), "read", scope.directories);
  const visit = (node: TestExpression): void => {
    switch (node.type) {
      case "TestLogical":
        return node.operands.forEach(visit);
      case "TestNot":
        return visit(node.operand);
      case "TestGroup":
        return visit(node.expression);
      case "TestUnary":
        if (FILE_UNARY.test(node.operator)) return look(node.operand);
        words.single(node.operand, scope);
        if (!PLAIN_UNARY.test(node.operator)) judgement.ask(`\`[[ ${node.operator}\` evaluates a name`);
        return;
      case "TestBinary": {
        if (COMPARES_FILES.test(node.operator)) {
          look(node.left);
          return look(node.right);
        }
        const sides = [words.single(node.left, scope), words.single(node.right, scope)];
        if (PLAIN_BINARY.test(node.operator)) return;
        const areNumbers = sides.every((side) => isKnown(side) && /^-?\d+$/.test(side.text));
        if (!CALCULATES.test(node.operator) || !areNumbers)
          judgement.ask(`\`[[ … ${node.operator}\` calculates with what is not a plain number`);
        return;
      }
    }
  };
  visit(expression);
}
