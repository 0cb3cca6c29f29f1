# This file is part of Craig. MIT or Apache-2.0, as you like.
"""Tool-info module for BenchExec (https://github.com/sosy-lab/benchexec).

A benchmark definition names it with `tool="craig.toolinfo"` (BenchExec looks for names without a dot
among its own modules only):

    PYTHONPATH=contrib/benchexec benchexec --tool-directory FOLDER-OF-CRAIG craig.xml

With the options `validate --witness FILE` a run validates a witness; confirmed ones give the verdict that they are for.
"""

import re

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import get_data_model_from_task, ILP32, LP64


class Tool(benchexec.tools.template.BaseTool2):
    def name(self):
        return "Craig"

    def executable(self, tool_locator):
        return tool_locator.find_executable("craig")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="craig")

    def cmdline(self, executable, options, task, rlimits):
        options = list(options)
        witness = []
        validates = "validate" in options
        if validates:
            options.remove("validate")
        if validates and "--witness" in options:
            at = options.index("--witness")
            witness = options[at + 1 : at + 2]
            del options[at : at + 2]
        command = [executable, "validate" if validates else "check"]
        if rlimits.cputime and "--timeout" not in options:
            # Room to print the result; BenchExec would kill the process.
            command += ["--timeout", f"{max(1, int(rlimits.cputime * 0.97))}s"]
        if rlimits.memory and "--memory" not in options:
            command += ["--memory", str(int(rlimits.memory * 0.95))]
        if task.property_file:
            command += ["--property", task.property_file]
        model = get_data_model_from_task(task, {ILP32: "ILP32", LP64: "LP64"})
        if model and "--data-model" not in options:
            command += ["--data-model", model]
        return command + options + list(task.input_files_or_identifier) + witness

    def determine_result(self, run):
        for line in run.output:
            match = re.fullmatch(r".*: confirmed: (.*) (holds|is violated)\s*", line)
            if match and match.group(2) == "holds":
                return result.RESULT_TRUE_PROP
            if match:
                return f"{result.RESULT_FALSE_PROP}({match.group(1)})"
        for line in reversed(list(run.output)):
            match = re.fullmatch(r"RESULT: (true|false|unknown|rejected)(?:\((.*)\))?\s*", line)
            if not match:
                continue
            verdict, detail = match.group(1), match.group(2)
            if verdict == "rejected":
                return f"{result.RESULT_ERROR}(witness rejected)"
            if verdict == "true":
                return result.RESULT_TRUE_PROP
            if verdict == "false":
                return f"{result.RESULT_FALSE_PROP}({detail})" if detail else result.RESULT_FALSE_PROP
            if detail == "timeout":
                return "TIMEOUT"
            if detail == "out of memory":
                return "OUT OF MEMORY"
            return f"{result.RESULT_UNKNOWN}({detail})" if detail else result.RESULT_UNKNOWN
        if run.exit_code.value == 2:
            return f"{result.RESULT_ERROR}(bad input)"
        return result.RESULT_ERROR
