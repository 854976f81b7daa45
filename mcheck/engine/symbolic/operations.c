/* Operations of numbers, one by one, and of a whole column of them. */
#include "symbolic/operations.h"

#include <stdlib.h>
#include <string.h>

uint64_t mc_term_apply(uint32_t op, uint32_t width, uint32_t of, uint64_t a, uint64_t b, uint64_t c)
{
    return mc_low_bits(mc_operated((enum mc_term_op)op, of, a, b, c), width);
}

struct column { uint64_t row[MC_CHUNK]; };

static const uint64_t *operand(const struct column *columns, struct column *constant, uint32_t which, const uint64_t *numbers, uint32_t rows)
{
    if (which < MC_NODE_NUMBER) return columns[which].row;
    for (uint32_t i = 0; i < rows; i++) constant->row[i] = numbers[which - MC_NODE_NUMBER];
    return constant->row;
}

static void concatenated(const uint32_t *node, const uint32_t *more, const uint64_t *numbers, const struct column *columns, uint64_t *to,
                         uint32_t rows)
{
    struct column constant;
    for (uint32_t k = 0; k < node[3]; k++) {
        const uint64_t *part = operand(columns, &constant, more[node[4] + k], numbers, rows);
        for (uint32_t i = 0; i < rows; i++) to[i] = (k ? to[i] : 0) | part[i] << 8 * k;
    }
}

static void computed(const uint32_t *node, const uint64_t *numbers, const struct column *columns, uint64_t *to, uint32_t rows)
{
    struct column constant[3];
    const uint64_t *x[3];
    for (uint32_t k = 0; k < 3; k++) x[k] = operand(columns, &constant[k], k < node[3] ? node[4 + k] : node[4], numbers, rows);
    for (uint32_t i = 0; i < rows; i++)
        to[i] = mc_low_bits(mc_operated((enum mc_term_op)node[0], node[2], x[0][i], x[1][i], x[2][i]), node[1]);
}

uint32_t mc_term_column(const uint32_t *nodes, uint32_t count, const uint32_t *more, const uint64_t *numbers, const uint64_t *symbol_values,
                        uint64_t rows, uint64_t *out)
{
    struct column *columns = malloc(sizeof *columns * (count ? count : 1));
    if (!columns || !count) {
        free(columns);
        return 0;
    }
    for (uint64_t first = 0; first < rows; first += MC_CHUNK) {
        uint32_t here = rows - first < MC_CHUNK ? (uint32_t)(rows - first) : MC_CHUNK;
        for (uint32_t n = 0; n < count; n++) {
            const uint32_t *node = nodes + (uint64_t)MC_NODE_WORDS * n;
            uint64_t *to = columns[n].row;
            if (node[0] == MC_TERM_SYMBOL) memcpy(to, symbol_values + node[4] * rows + first, here * sizeof *to);
            else if (node[0] == MC_TERM_CONCAT) concatenated(node, more, numbers, columns, to, here);
            else computed(node, numbers, columns, to, here);
        }
        memcpy(out + first, columns[count - 1].row, here * sizeof *out);
    }
    free(columns);
    return 1;
}

/* The intervals grow by a value that is greater than all in them. */
static uint64_t with_value(uint64_t *bounds, uint64_t count, uint64_t v)
{
    if (count && bounds[2 * count - 1] + 1 == v) {
        bounds[2 * count - 1] = v;
        return count;
    }
    bounds[2 * count] = bounds[2 * count + 1] = v;
    return count + 1;
}

static bool contains(const uint64_t *wanted, uint32_t count, uint64_t v)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (wanted[2 * middle + 1] < v) low = middle + 1;
        else high = middle;
    }
    return low < count && wanted[2 * low] <= v;
}

uint64_t mc_values_fitting(const uint64_t *values, const uint64_t *column, uint64_t rows, const uint64_t *wanted, uint32_t count,
                           uint64_t *bounds)
{
    uint64_t found = 0;
    for (uint64_t i = 0; i < rows; i++)
        if (contains(wanted, count, column[i])) found = with_value(bounds, found, values[i]);
    return found;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

uint64_t mc_values_of(uint64_t *values, uint64_t rows, uint64_t *bounds)
{
    uint64_t found = 0;
    qsort(values, rows, sizeof *values, by_value);
    for (uint64_t i = 0; i < rows; i++)
        if (!found || values[i] != bounds[2 * found - 1]) found = with_value(bounds, found, values[i]);
    return found;
}
