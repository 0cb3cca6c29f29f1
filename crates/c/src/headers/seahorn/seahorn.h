#pragma once
// The functions of the tool are known without a declaration.
